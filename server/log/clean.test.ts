import { expect, test } from "vitest";
import { forbiddenIn } from "../testing/log-search.ts";
import { createCleaning } from "./clean.ts";

const clean = createCleaning(["a pass phrase", "p%40ss-word", "abc"]);
const token = "aB3-_".repeat(9);

test.each([
  ["invalid input: sk_0a1b2c3d_secret", "invalid input: sk_[removed]"],
  ["with its_0a1b2c3d4e", "with its_[removed]"],
  ["session dcl_0a1b2c3d4e", "session dcl_[removed]"],
  ["request req_0a1b2c3d4e", "request req_[removed]"],
  ["Authorization: Bearer abc.def", "Authorization: Bearer [removed]"],
  ["basic dXNlcjpwYXNz", "basic [removed]"],
  ["Cookie: a=b; offers=abcdef; offers_oauth.sig=xyz", "Cookie: a=b; offers=[removed]; offers_oauth.sig=xyz"],
  ["__Host-offers=abcdef", "__Host-offers=[removed]"],
  [`at /x/${token}/y`, "at /x/[removed]/y"],
  ["Key (email)=(ada.l+x@mail.example.com) exists", "Key (email)=([removed]) exists"],
  ["of ada%40example.com", "of [removed]"],
  ["of zoë@müller.example", "of [removed]"],
  ["to ada@example.com-bo@example.com", "to [removed]"],
  ["to ada@example.com1@example.com,bo@example.com", "to [removed],[removed]"],
  ["to <ada@example.com> and (bo%40example.com%40)", "to <[removed]> and ([removed]%40)"],
  [`to ${"long.".repeat(40)}name@example.com`, "to [removed]"],
  ["from 203.0.113.7, later 198.51.100.7:443.", "from [removed], later [removed]:443."],
  ["from 2001:db8::7", "from [removed]"],
  ["from 2001:db8::7: refused", "from [removed]: refused"],
  ["from [2001:db8:0:1:2:3:4:5]:80", "from [[removed]]:80"],
  ["from ::ffff:203.0.113.7", "from [removed]"],
  ["by Mozilla/5.0 (X11; Linux) Chrome/144", "by [removed]"],
  ["at postgres://user:p@host/db?x=1", "at postgres://[removed]@host/db?x=1"],
  ["it was a pass phrase.", "it was [removed]."],
  ["it was p%40ss-word.", "it was [removed]."],
  ["too short a secret: abc", "too short a secret: abc"],
])("of %j is left %j", (text, left) => {
  expect(clean(text)).toBe(left);
});

test.each([
  "connect ECONNREFUSED 10.0.0.5:5432",
  "connect ECONNREFUSED ::1:5432",
  "listen EADDRINUSE: address already in use 127.0.0.1:8787",
  "listen EADDRINUSE: address already in use ::1:8787",
  "at 10:31:00 and 2026-11-23T10:31:00.123Z",
  "    at file:///opt/offers/node_modules/@offers/contract/words.ts:12:5",
  "the value 1.2.3 of pino@10.4.0",
  "select 1::integer",
  "AQEBAQEBAQE-1f",
])("leaves %j as it is", (text) => {
  expect(clean(text)).toBe(text);
});

test("takes of an error its type, code, message, causes and frames, and nothing that a driver has hung onto it", () => {
  const cause = Object.assign(new Error("duplicate key"), {
    detail: "Key (email)=(ada@example.com)",
    code: "23505",
  });
  const error = Object.assign(new TypeError("no row for sk_0a1b2c3d4e", { cause }), {
    code: "E_ROW",
    parameters: ["ada@example.com"],
    input: "https://shop.example/?token=x",
  });
  const cleaned = clean({ err: error }) as { err: Record<string, unknown> };
  expect(cleaned.err).toMatchObject({
    type: "TypeError",
    code: "E_ROW",
    message: "no row for sk_[removed]",
    cause: { type: "Error", code: "23505", message: "duplicate key" },
  });
  expect(Object.keys(cleaned.err).toSorted()).toEqual(["cause", "code", "message", "stack", "type"]);
  expect(cleaned.err.stack).toContain("clean.test.ts");
  expect(cleaned.err.stack).not.toContain("no row");
  expect(JSON.stringify(cleaned)).not.toMatch(/ada|shop\.example|0a1b/);
});

test("takes the errors of several attempts", () => {
  const error = new AggregateError(
    [new Error("connect ECONNREFUSED ::1:5432"), new Error("from 203.0.113.7")],
    "",
  );
  expect(clean(error)).toMatchObject({
    type: "AggregateError",
    errors: [{ message: "connect ECONNREFUSED ::1:5432" }, { message: "from [removed]" }],
  });
});

test.each([
  ["its_0a1b2c3d", "0a"],
  ["ada@example.com", "ada"],
  ["203.0.113.77", "203"],
  ["2001:db8::77", "2001"],
  ["Bearer abcdefgh", "abc"],
  [token, "aB"],
])("leaves nothing of %s where a text is cut", (secret, part) => {
  for (let before = 1000 - secret.length; before < 1000; before += 1) {
    const text = `${"x ".repeat(500).slice(-before)}${secret} y`;
    expect(clean(text)).not.toContain(part);
  }
});

test("keeps a line small, whatever it is given", () => {
  const circle: Record<string, unknown> = {};
  circle.again = circle;
  const deep = { text: "x y ".repeat(100_000), list: Array.from({ length: 1000 }, () => "entry"), circle };
  expect(JSON.stringify(clean(deep)).length).toBeLessThan(2000);
  const error = new Error("m ".repeat(10_000));
  expect(JSON.stringify(clean(error)).length).toBeLessThan(3000);
});

test.each([".", "a.", "1.", "%40", "a@", "a@a.", "a ", "1:", "f:f ", "1.1.1.", "://", "-"])(
  "is done at once with %j sixteen thousand characters long",
  (part) => {
    const text = part.repeat(16_000 / part.length);
    // The best of several: a machine that is busy stops the others.
    const took = Array.from({ length: 5 }, () => {
      const began = performance.now();
      clean(text);
      return performance.now() - began;
    });
    expect(Math.min(...took)).toBeLessThan(150);
  },
);

test("leaves numbers, booleans and nothing as they are, and can write a bigint", () => {
  expect(clean({ a: 1, b: true, c: null, d: 12n })).toEqual({ a: 1, b: true, c: null, d: "12" });
});

test("leaves nothing that the search of the tests looks for", () => {
  const all = `sk_0a1b2c3d its_0a1b2c3d dcl_0a1b2c3d Bearer x offers=abc ada@example.com 203.0.113.7 2001:db8::1 ::1 ${token}
    postgres://u:p@h/d Mozilla/5.0 AppleWebKit`;
  expect(forbiddenIn(all).length).toBeGreaterThan(9);
  expect(forbiddenIn(String(clean(all)))).toEqual([]);
});
