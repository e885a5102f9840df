import { roles } from "@offers/contract/words";
import { describe, expect, it } from "vitest";
import { apiKeyBytes, makeApiKey } from "./api-key.ts";
import {
  clientSecretBytes,
  hashOauthToken,
  isClientSecret,
  looksLikeAccessToken,
  makeClientSecret,
  mayConnectPartners,
  scopesIn,
} from "./oauth.ts";

it("partners are connected by whoever may change a publisher, and by no viewer", () => {
  expect(roles.filter(mayConnectPartners)).toEqual(["editor", "owner"]);
});

describe("a client secret", () => {
  const { secret, secretHash } = makeClientSecret(Buffer.alloc(clientSecretBytes, 7));

  it("is known by its hash, which does not hold it", () => {
    expect(secret).toMatch(/^cs_[0-9A-Za-z]{43}$/);
    expect(secretHash).not.toContain(secret.slice(3, 12));
    expect(isClientSecret(secret, secretHash)).toBe(true);
  });

  it.each([
    ["another one", `${secret.slice(0, -1)}_`],
    ["its hash", secretHash],
    ["nothing", ""],
  ])("is not %s", (_, given) => {
    expect(isClientSecret(given, secretHash)).toBe(false);
  });

  it("is made of enough random bytes", () => {
    expect(() => makeClientSecret(Buffer.alloc(31))).toThrow(RangeError);
  });
});

describe("an access token", () => {
  it("is told from an API key by its form", () => {
    expect(looksLikeAccessToken("a".repeat(43))).toBe(true);
    expect(looksLikeAccessToken(hashOauthToken("x"))).toBe(true);
    expect(looksLikeAccessToken(makeApiKey(Buffer.alloc(apiKeyBytes, 1)).key)).toBe(false);
    expect(looksLikeAccessToken("a".repeat(42))).toBe(false);
    expect(looksLikeAccessToken(`${"a".repeat(42)}!`)).toBe(false);
  });
});

describe("a scope parameter", () => {
  it.each([
    ["reports:read offers:read", ["offers:read", "reports:read"]],
    ["reports:read openid reports:read", ["reports:read"]],
    ["", []],
  ])("%j means %j", (text, expected) => expect(scopesIn(text)).toEqual(expected));
});
