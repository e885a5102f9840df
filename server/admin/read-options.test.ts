import { describe, expect, test } from "vitest";
import { type Command, type Option, UsageError } from "./command.ts";
import { readOptions } from "./read-options.ts";

const options: readonly Option[] = [
  { name: "name", kind: "text", field: "name", required: true, help: "its name" },
  { name: "origin", kind: "text", field: "origins", repeatable: true, help: "" },
  { name: "geo-entries", kind: "list", field: "geoRule.entries", help: "" },
  { name: "geo-mode", kind: "choice", choices: ["allowlist", "blocklist"], field: "geoRule.mode", help: "" },
  { name: "terms", kind: "text", field: "terms", mayBeEmpty: true, help: "" },
  { name: "cap", kind: "count", field: "cap", help: "" },
  { name: "dismissible", negative: "not-dismissible", kind: "flag", field: "settings.dismissible", help: "" },
];
const command: Command = {
  verb: "create",
  summary: "",
  options,
  examples: [],
  run: () => Promise.reject(new Error("not run here")),
};

const slipsOf = (...args: string[]): readonly string[] => {
  try {
    readOptions(command, args);
  } catch (error) {
    if (error instanceof UsageError) return error.lines;
    throw error;
  }
  return [];
};

describe("what is given", () => {
  test("becomes one nested object", () => {
    const args =
      "--name A --origin x --origin=y --geo-entries DE,FR --geo-entries US-NJ --geo-mode allowlist --not-dismissible --cap 3 --json";
    expect(readOptions(command, args.split(" "))).toEqual({
      given: {
        name: "A",
        origins: ["x", "y"],
        geoRule: { entries: ["DE", "FR", "US-NJ"], mode: "allowlist" },
        settings: { dismissible: false },
        cap: 3,
      },
      json: true,
      help: false,
    });
  });

  test("may begin with a dash when it is written with =", () => {
    expect(readOptions(command, ["--name=-A-", "--dismissible"]).given).toEqual({
      name: "-A-",
      settings: { dismissible: true },
    });
  });

  test("may be empty where it names nothing", () => {
    expect(readOptions(command, ["--name", "A", "--terms", ""]).given).toEqual({ name: "A", terms: "" });
    expect(slipsOf("--name", "")).toEqual(["--name: must not be empty"]);
  });

  test("is not asked for together with --help", () => {
    expect(readOptions(command, ["--help"])).toMatchObject({ help: true });
    expect(readOptions(command, ["-h", "--nonsense"])).toMatchObject({ help: true });
  });
});

describe("a slip", () => {
  test.each([
    ["a missing option", [], "--name is missing: its name"],
    ["a misspelt option", ["--name", "A", "--orgin", "x"], "unknown option --orgin; did you mean --origin?"],
    [
      "a shortened option",
      ["--name", "A", "--geo-ent", "DE"],
      "unknown option --geo-ent; did you mean --geo-entries?",
    ],
    ["an option of nowhere", ["--name", "A", "--zzzzzzzz"], "unknown option --zzzzzzzz"],
    ["a short option", ["--name", "A", "-x"], "unknown option -x"],
    ["a value too many", ["--name", "A", "B"], 'unexpected "B"'],
    ["an option at the end without its value", ["--name"], "--name: needs a value"],
    ["an option that swallows the next", ["--name", "--json"], "--name: needs a value"],
    ["an option given twice", ["--name", "A", "--name", "B"], "--name: is given twice"],
    [
      "a flag and its opposite",
      ["--name", "A", "--dismissible", "--not-dismissible"],
      "--not-dismissible: is given twice, or together with its opposite",
    ],
    ["a flag with a value", ["--name", "A", "--dismissible=no"], "--dismissible: takes no value"],
    ["--json with a value", ["--name", "A", "--json=yes"], "--json takes no value"],
    [
      "a negative amount",
      ["--name", "A", "--cap", "-1"],
      '--cap: must be a whole number, such as 300 (given: "-1")',
    ],
    [
      "a word that is no choice",
      ["--name", "A", "--geo-mode", "allow"],
      "--geo-mode: must be one of allowlist, blocklist",
    ],
  ])("such as %s is named", (_, args, part) => {
    expect(slipsOf(...args)).toEqual([expect.stringContaining(part)]);
  });

  test("does not hide the next one", () => {
    expect(slipsOf("--cap", "x", "--nmae", "A", "B")).toEqual([
      expect.stringContaining("--cap: "),
      expect.stringContaining("did you mean --name?"),
      expect.stringContaining('unexpected "B"'),
      expect.stringContaining("--name is missing"),
    ]);
  });
});
