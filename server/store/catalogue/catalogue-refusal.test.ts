import { offerInput, websiteInput } from "@offers/contract/catalogue";
import { describe, expect, test } from "vitest";
import { CatalogueRefusal, parseInput } from "./catalogue-refusal.ts";

const website = { publisherId: "publisher_a", name: "A", origins: ["https://a.example"] };

const problemsOf = (parse: () => unknown) => {
  try {
    parse();
  } catch (error) {
    if (error instanceof CatalogueRefusal) return error.problems;
    throw error;
  }
  return [];
};

describe("parseInput", () => {
  test("gives back what the schema makes of the input", () => {
    const parsed = parseInput(websiteInput, website);
    expect(parsed.settings.theme).toBe("auto");
    expect(parsed.geoRule).toEqual({ mode: "blocklist", entries: [], unknownLocation: "allow" });
  });

  test.each([
    [
      "an element of a list",
      { geoRule: { mode: "allowlist", entries: ["DE", "Germany"], unknownLocation: "allow" } },
      "geoRule.entries",
      '(given: "Germany")',
    ],
    [
      "a member of a member",
      { settings: { theme: "pink" } },
      "settings.theme",
      'must be one of auto, light, dark (given: "pink")',
    ],
    [
      "an address",
      { settings: { supportContact: { email: "nobody" } } },
      "settings.supportContact.email",
      'must be an e-mail address (given: "nobody")',
    ],
    ["an empty name", { name: " " }, "name", "must not be empty"],
  ])("names the member and the value of %s", (_, change, field, part) => {
    const problems = problemsOf(() => parseInput(websiteInput, { ...website, ...change }));
    expect(problems).toHaveLength(1);
    expect(problems[0]?.field).toBe(field);
    expect(problems[0]?.message).toContain(part);
  });

  test("names every member that is wrong, missing ones included", () => {
    const fields = problemsOf(() => parseInput(offerInput, { brand: "B", payoutMicros: 1.5 })).map(
      ({ field }) => field,
    );
    expect(fields).toEqual(
      expect.arrayContaining(["advertiserId", "vertical", "title", "geoCoverage", "payoutMicros"]),
    );
    expect(fields).not.toContain("brand");
  });

  test("cuts a long value off", () => {
    const problems = problemsOf(() => parseInput(websiteInput, { ...website, vertical: "X".repeat(5000) }));
    expect(problems[0]?.message.length).toBeLessThan(200);
  });
});
