import { describe, expect, it } from "vitest";
import { z } from "zod";
import { inPlainWords } from "./plain-words.ts";

const saidOf = (schema: z.ZodType, value: unknown) =>
  schema.safeParse(value, { error: inPlainWords }).error?.issues.map(({ message }) => message);

describe("what a value must be, where its schema does not say it", () => {
  it.each<[string, z.ZodType, unknown, string]>([
    ["a text", z.string(), 1, "must be a text"],
    ["a number", z.number(), "1", "must be a number"],
    ["no number at all", z.number(), Number.NaN, "must be a number"],
    ["a whole number", z.int(), 1.5, "must be a whole number"],
    ["a text for a whole number", z.int(), "1", "must be a number"],
    ["nothing", z.string(), undefined, "is missing"],
    ["a member that nobody knows", z.strictObject({}), { a: 1, b: 2 }, "must not have a, b"],
    ["a flag", z.boolean(), "true", "must be true or false"],
    ["a list", z.array(z.string()), {}, "must be a list"],
    ["an object", z.object({}), [], "must be an object"],
    ["a table", z.record(z.string(), z.string()), 1, "must be an object"],
    ["one word", z.literal("section"), "x", "must be section"],
    ["one of two words", z.enum(["json", "csv"]), "xml", "must be one of json, csv"],
    ["one of three", z.enum(["a", "b", "c"]), 1, "must be one of a, b, c"],
    ["too low", z.number().min(1), 0, "must be at least 1"],
    ["too high", z.number().max(5), 6, "must be at most 5"],
    ["too short", z.string().min(1), "", "must have at least 1 character"],
    ["too long", z.string().max(2), "abc", "must have at most 2 characters"],
    ["an address of mail", z.email(), "x", "must be an e-mail address"],
    ["a web address", z.url(), "x", "must be a web address"],
    ["too few", z.array(z.string()).min(1), [], "must have at least 1 entry"],
    ["too many", z.array(z.string()).max(2), ["a", "b", "c"], "must have at most 2 entries"],
  ])("%s", (_, schema, value, said) => {
    expect(saidOf(schema, value)).toEqual([said]);
  });

  it("leaves a schema its own words, and the library what it has no others for", () => {
    expect(saidOf(z.string("must be the key of a website"), 1)).toEqual(["must be the key of a website"]);
    expect(saidOf(z.ipv4(), "x")).toEqual(["Invalid IPv4 address"]);
  });
});
