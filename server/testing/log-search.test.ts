import { expect, test } from "vitest";
import { forbiddenIn } from "./log-search.ts";

const line = (message: string) =>
  JSON.stringify({ level: 50, time: "2026-11-23T10:00:00.000Z", request: "AQEBAQEBAQE-1f", message });

test.each([
  ["an IPv4 address", "from 203.0.113.7"],
  ["an IPv4 address", "from 127.0.0.1:4711"],
  ["an IPv6 address", "from 2001:db8::7"],
  ["an IPv6 address", "from 2001:db8:0:1:2:3:4:5"],
  ["an IPv6 address", "from ::1"],
  ["a user agent", "by Mozilla/5.0 (X11)"],
  ["an API key", "of sk_0a1b2c"],
  ["an integration secret", "with its_0a1b2c"],
  ["a decline session", "in dcl_0a1b2c"],
  ["a credential", "with Bearer abc"],
  ["a cookie", "with offers=abc"],
  ["a cookie", "with __Host-offers=abc"],
  ["an e-mail address", "by ada@example.com"],
  ["an e-mail address", "at /x/ada%40example.com"],
  ["a token", `at ${"aB3-_".repeat(9)}`],
  ["credentials of an address", "postgres://user:password@host/database"],
])("finds %s in %j", (what, message) => {
  const found = forbiddenIn(`${line("nothing")}\n${line(message)}\n`);
  expect(found).toEqual([`${what} in ${line(message)}`]);
});

test("finds the values of a test, also where JSON has written them otherwise", () => {
  expect(forbiddenIn(line("a plain phrase"), ["plain phrase"])).toHaveLength(1);
  expect(forbiddenIn(line('it "quotes" much'), ['"quotes"'])).toHaveLength(1);
  expect(forbiddenIn(line("a short word"), ["a", "word"])).toEqual([]);
});

test.each([
  "connect ECONNREFUSED 10.0.0.5:5432",
  "listen EADDRINUSE: address already in use 127.0.0.1:8787",
  "at answer (file:///opt/offers/server/http/answer.ts:12:5)",
  "the value is [removed]",
  "Bearer [removed]",
  "pino@10.4.0 and 1.2.3",
])("lets %j stand", (message) => {
  expect(forbiddenIn(line(message))).toEqual([]);
});

test("lets stand what the program says to whoever starts it", () => {
  const said = "Affiliate Offer Service is ready at http://127.0.0.1:8787 (data in /x)";
  expect(forbiddenIn(said)).toEqual([]);
  expect(forbiddenIn(line(said))).toHaveLength(1);
});
