import { createPrivateKey, hkdfSync } from "node:crypto";

/** What the OAuth library signs with: the same after a restart and on every node, or connections would end with it. */
export type OauthKeys = {
  /** Of the cookies of a consent under way: the first signs, all of them check. */
  cookieKeys: readonly string[];
  /** An Ed25519 key as a JWK. Nothing that a partner gets is signed by it, but the library will not start without one. */
  signingKey: Readonly<Record<string, unknown>>;
};

/** RFC 8410 section 7: what stands before the 32 bytes of an Ed25519 key in PKCS #8. */
const pkcs8Head = Buffer.from("302e020100300506032b657004220420", "hex");

/**
 * Derives the keys (RFC 5869) from the secrets of the tokens, so that an operator has no other secret to keep.
 * @param secrets.others still check the cookies; left out: there are none.
 */
export function createOauthKeys(secrets: { current: string; others?: readonly string[] }): OauthKeys {
  const { current, others = [] } = secrets;
  const known = [current, ...others.filter((text) => text !== "")];
  const key = Buffer.concat([pkcs8Head, derive(current, "oauth signing")]);
  return {
    cookieKeys: known.map((secret) => derive(secret, "oauth cookies").toString("base64url")),
    signingKey: {
      ...createPrivateKey({ key, format: "der", type: "pkcs8" }).export({ format: "jwk" }),
      alg: "EdDSA",
      use: "sig",
    },
  };
}

const derive = (secret: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync("sha256", secret, "", `offer-service ${purpose}`, 32));
