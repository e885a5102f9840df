import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import {
  hashIntegrationSecret,
  integrationSecretBytes,
  makeIntegrationSecret,
  takesSecretIn,
} from "./integration-secret.ts";

describe("an integration secret", () => {
  it("is its_ and 32 characters, and hashes to what is stored", () => {
    const made = makeIntegrationSecret(randomBytes(integrationSecretBytes));
    expect(made.secret).toMatch(/^its_[0-9A-Za-z]{32}$/);
    expect(hashIntegrationSecret(made.secret)).toEqual(made.hash);
    expect(made.lastFour).toBe(made.secret.slice(made.secret.length - 4));
  });

  it("differs from the next one", () => {
    const made = Array.from({ length: 200 }, () => makeIntegrationSecret(randomBytes(32)).secret);
    expect(new Set(made).size).toBe(200);
  });

  it.each([
    ["any", true, true],
    ["authorization", true, false],
    ["body", false, true],
  ] as const)(
    "is taken by a website that says %s: in the header %j, in the body %j",
    (secretCarrier, inHeader, inBody) => {
      expect(takesSecretIn({ secretCarrier }, "authorization")).toBe(inHeader);
      expect(takesSecretIn({ secretCarrier }, "body")).toBe(inBody);
    },
  );

  it("is not made of too few random bytes", () => {
    expect(() => makeIntegrationSecret(Buffer.alloc(8))).toThrow(RangeError);
  });
});
