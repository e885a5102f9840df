import { describe, expect, it } from "vitest";
import { createOauthKeys } from "./oauth-keys.ts";
import { createTokenKeys } from "./token-keys.ts";

describe("the keys of OAuth", () => {
  const keys = createOauthKeys({ current: "one secret" });

  it("are the same for the same secret, and others for another", () => {
    expect(createOauthKeys({ current: "one secret" })).toEqual(keys);
    const others = createOauthKeys({ current: "another secret" });
    expect(others.cookieKeys).not.toEqual(keys.cookieKeys);
    expect(others.signingKey.d).not.toBe(keys.signingKey.d);
  });

  it("check the cookies of the previous secret, and sign by the current one", () => {
    const rotated = createOauthKeys({ current: "another secret", others: ["one secret"] });
    expect(rotated.cookieKeys).toHaveLength(2);
    expect(rotated.cookieKeys[1]).toBe(keys.cookieKeys[0]);
    expect(createOauthKeys({ current: "one secret", others: [""] }).cookieKeys).toHaveLength(1);
  });

  it("serve one purpose each", () => {
    expect(keys.signingKey).toMatchObject({ kty: "OKP", crv: "Ed25519", alg: "EdDSA" });
    expect(keys.signingKey.d).not.toBe(keys.cookieKeys[0]);
    const clickKey = createTokenKeys({ current: "one secret" }).sealing.clickHash("x").toString("base64url");
    expect(keys.cookieKeys).not.toContain(clickKey);
  });
});
