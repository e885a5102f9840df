import { expect, it, test } from "vitest";
import { readSessionCookie, signSessionToken } from "./session-cookie.ts";
import { tokenHash } from "./session-life.ts";
import { createTokenKeys } from "./token-keys.ts";
import { sampleKeys } from "./token-samples.ts";

const token = "t".repeat(43);
const hash = tokenHash(token);
const signed = signSessionToken(sampleKeys, token);

test("a cookie is known for one of this service's, under each secret that the service knows", () => {
  expect(signed).toMatch(/^t{43}[\w-]{22}$/);
  expect(readSessionCookie(sampleKeys, signed)).toEqual({ hash, isSigned: true });
  const [former, next] = ["a former secret of this service", "the secret that comes next to it"];
  const keys = createTokenKeys({ current: former, others: [next] });
  for (const current of [former, next]) {
    const own = signSessionToken(createTokenKeys({ current }), token);
    expect(readSessionCookie(keys, own)).toEqual({ hash, isSigned: true });
  }
});

it.each([
  ["signed under a secret that is retired", signSessionToken(createTokenKeys({ current: "retired" }), token)],
  ["of before cookies were signed", token],
  ["with another's signature", `${token}${signSessionToken(sampleKeys, "u".repeat(43)).slice(43)}`],
  ["made up", `${token}${"A".repeat(22)}`],
])("may be a session's, as far as can be told, when it is %s", (_, value) => {
  expect(readSessionCookie(sampleKeys, value)).toEqual({ hash, isSigned: false });
});

it.each([
  "",
  "t",
  token.slice(1),
  `${token}A`,
  `${signed}A`,
  signed.slice(0, -1),
  `${token}${"A".repeat(21)}B`,
])("can be no session's: %j", (value) => {
  expect(readSessionCookie(sampleKeys, value)).toBeNull();
});
