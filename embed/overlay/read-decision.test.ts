import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readDecision } from "./read-decision.ts";

const blocked = {
  allowed: false,
  requestId: "req_1",
  country: "DE",
  region: "BE",
  blocked: {
    reason: "country_not_allowed",
    title: "Not here",
    message: "Not yet.",
    supportContact: {
      email: "help@journal.example",
      url: "https://journal.example/help",
      label: "Help desk",
    },
    dismissible: false,
    fallback: { url: "https://journal.example/else", label: "Read on" },
  },
  settings: {
    theme: "dark",
    language: "de",
    trigger: "immediate",
    frequency: "day",
    radius: 4,
    logo: "https://journal.example/logo.svg",
  },
};
const supportOf = (supportContact: unknown) =>
  readDecision({ ...blocked, blocked: { ...blocked.blocked, supportContact } })?.support;

test("a whole decision is taken over", () => {
  expect(readDecision(blocked)).toEqual({
    requestId: "req_1",
    country: "DE",
    region: "BE",
    reason: "country_not_allowed",
    title: "Not here",
    message: "Not yet.",
    support: [
      { href: "https://journal.example/help", label: "Help desk" },
      { href: "mailto:help@journal.example", label: "help@journal.example" },
    ],
    dismissible: false,
    fallback: { href: "https://journal.example/else", label: "Read on" },
    theme: "dark",
    language: "de",
    frequency: "day",
    look: "[data-theme]{--radius:4px;}",
    logo: "https://journal.example/logo.svg",
  });
});

test("what is missing besides the decision itself has a default", () => {
  expect(readDecision({ allowed: false, requestId: "req_1", country: "ZZ" })).toEqual({
    requestId: "req_1",
    country: "ZZ",
    region: "",
    reason: "",
    title: "",
    message: "",
    support: [],
    dismissible: true,
    fallback: null,
    theme: "auto",
    language: "",
    frequency: "",
    look: "[data-theme]{}",
    logo: null,
  });
});

test.each([
  ["an allowed visitor", { ...blocked, allowed: true }],
  ["a word for a boolean", { ...blocked, allowed: "false" }],
  ["no requestId", { ...blocked, requestId: undefined }],
  ["a number for a requestId", { ...blocked, requestId: 7 }],
  ["no country", { ...blocked, country: "" }],
  ["a country's name", { ...blocked, country: "Germany" }],
  ["a problem document", { type: "about:blank", status: 403, code: "origin_not_allowed" }],
])("%s opens nothing", (_name, answer) => {
  expect(readDecision(answer)).toBeNull();
});

test.each([0, 1, "yes", null, undefined, {}])(
  "only a literal false makes it undismissible, not %j",
  (value) => {
    const answer = { ...blocked, blocked: { ...blocked.blocked, dismissible: value } };
    expect(readDecision(answer)?.dismissible).toBe(true);
  },
);

test.each([
  ["no words", { url: "https://journal.example/else", label: " " }],
  ["no address", { label: "Read on" }],
  ["a script", { url: "javascript:alert(1)", label: "Read on" }],
  ["a text", "https://journal.example/else"],
])("a fallback with %s is none", (_name, fallback) => {
  const answer = { ...blocked, blocked: { ...blocked.blocked, fallback } };
  expect(readDecision(answer)?.fallback).toBeNull();
});

describe("the support contact", () => {
  test("with an address alone carries the label", () => {
    const contact = { email: "help@journal.example", label: "Help desk" };
    expect(supportOf(contact)).toEqual([{ href: "mailto:help@journal.example", label: "Help desk" }]);
  });

  test("with an address alone and no label stands for itself", () => {
    const address = "help@journal.example";
    expect(supportOf({ email: address })).toEqual([{ href: `mailto:${address}`, label: address }]);
  });

  test.each([
    [null],
    ["help@journal.example"],
    [{}],
    [{ label: "Help desk" }],
    [{ url: "javascript:alert(1)" }],
    [{ email: "help@journal.example?cc=everyone@example.org" }],
    [{ email: "no address" }],
    [{ email: ["help@journal.example"] }],
  ])("%j gives no link", (contact) => {
    expect(supportOf(contact)).toEqual([]);
  });
});

test("any JSON value is read without an error, wherever it stands", () => {
  const anywhere = fc.oneof(
    fc.jsonValue(),
    fc.record({
      allowed: fc.constantFrom(false, true, null),
      requestId: fc.oneof(fc.constant("req_1"), fc.jsonValue()),
      country: fc.oneof(fc.constant("DE"), fc.jsonValue()),
      blocked: fc.oneof(fc.record({ supportContact: fc.jsonValue(), title: fc.jsonValue() }), fc.jsonValue()),
      settings: fc.jsonValue(),
    }),
  );
  fc.assert(
    fc.property(anywhere, (answer) => {
      const decision = readDecision(answer);
      if (!decision) return;
      const { support, dismissible, fallback, logo, ...texts } = decision;
      expect(logo === null || /^https?:/.test(logo)).toBe(true);
      expect(fallback === null || /^https?:/.test(fallback.href)).toBe(true);
      expect(Object.values(texts).every((value) => typeof value === "string")).toBe(true);
      expect(typeof dismissible).toBe("boolean");
      expect(support.every(({ href }) => /^(https?|mailto):/.test(href))).toBe(true);
    }),
  );
});
