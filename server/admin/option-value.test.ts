import { describe, expect, test } from "vitest";
import type { Option } from "./command.ts";
import { readOptionValue } from "./option-value.ts";

const option = (part: Partial<Option>): Option => ({
  name: "x",
  kind: "text",
  field: "x",
  help: "",
  ...part,
});

describe("an amount", () => {
  const micros = option({ kind: "micros" });

  test.each([
    ["0", 0],
    ["450000", 450_000],
    ["9007199254740991", Number.MAX_SAFE_INTEGER],
  ])("may be %s", (text, value) => {
    expect(readOptionValue(micros, text)).toEqual({ ok: true, value });
  });

  test.each([
    "1.5",
    "1e6",
    "-1",
    "+1",
    "0x10",
    "1_000",
    "1,000",
    "",
    " 1",
    "1 ",
    "007",
    "NaN",
    "Infinity",
    "٣",
    "none",
    "9007199254740992",
    "99999999999999999999",
  ])("cannot be %j", (text) => {
    const read = readOptionValue(micros, text);
    expect(read).toMatchObject({ ok: false, message: expect.stringContaining("whole number") });
    expect(read).toMatchObject({ message: expect.stringContaining(JSON.stringify(text)) });
  });
});

describe("an amount that may take away", () => {
  const micros = option({ kind: "micros", mayBeNegative: true });

  test.each([
    ["-45000000", -45_000_000],
    ["-9007199254740991", -Number.MAX_SAFE_INTEGER],
    ["45000000", 45_000_000],
    ["0", 0],
  ])("may be %s", (text, value) => {
    expect(readOptionValue(micros, text)).toEqual({ ok: true, value });
  });

  test.each(["-0", "--1", "-1.5", "-01", "-", "+1", "- 1", "-9007199254740992"])("cannot be %j", (text) => {
    const read = readOptionValue(micros, text);
    expect(read).toMatchObject({ ok: false, message: expect.stringContaining("-450000 to take") });
    expect(read).toMatchObject({ message: expect.stringContaining(`given: ${JSON.stringify(text)}`) });
  });
});

test.each([
  [
    "a clearable amount takes none",
    option({ kind: "micros", clearable: true }),
    "none",
    { ok: true, value: null },
  ],
  ["a clearable text takes none", option({ clearable: true }), "none", { ok: true, value: null }],
  ["a clearable text takes nothing for none", option({ clearable: true }), "", { ok: true, value: null }],
  ["another text is what was typed", option({}), "none", { ok: true, value: "none" }],
  [
    "a list is split at its commas",
    option({ kind: "list" }),
    "DE, US-NJ,Orchard Bank",
    { ok: true, value: ["DE", "US-NJ", "Orchard Bank"] },
  ],
  [
    "a comma after a backslash stands within an entry",
    option({ kind: "list" }),
    "Acme\\, Inc, Orchard Bank",
    { ok: true, value: ["Acme, Inc", "Orchard Bank"] },
  ],
  ["a text may be empty where that is a value", option({ mayBeEmpty: true }), "", { ok: true, value: "" }],
  ["a count may be its most", option({ kind: "count", most: 720 }), "720", { ok: true, value: 720 }],
  ["nothing is the empty list", option({ kind: "list" }), "", { ok: true, value: [] }],
  [
    "a choice is one of its words",
    option({ kind: "choice", choices: ["all", "allowlist"] }),
    "all",
    { ok: true, value: "all" },
  ],
])("%s", (_, declared, text, value) => {
  expect(readOptionValue(declared, text)).toEqual(value);
});

test.each([
  ["a gap between commas", option({ kind: "list" }), "DE,,FR", "empty entry"],
  ["a comma at the end", option({ kind: "list" }), "DE,", "empty entry"],
  ["an empty text", option({}), "", "must not be empty"],
  ["a count above its most", option({ kind: "count", most: 720 }), "721", "must be at most 720"],
  ["a count below its least", option({ kind: "count", least: 1 }), "0", "must be at least 1"],
  [
    "a word that is no choice",
    option({ kind: "choice", choices: ["CPC", "CPM"] }),
    "CPX",
    "must be one of CPC, CPM",
  ],
  [
    "a choice in the wrong case",
    option({ kind: "choice", choices: ["allowlist"] }),
    "Allowlist",
    "did you mean allowlist?",
  ],
])("%s is refused", (_, declared, text, part) => {
  expect(readOptionValue(declared, text)).toMatchObject({
    ok: false,
    message: expect.stringContaining(part),
  });
});
