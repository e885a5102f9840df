import { randomBytes } from "node:crypto";
import { publisherId } from "@offers/contract/ids";
import { describe, expect, it } from "vitest";
import { apiKeyBytes, isLiveApiKey, makeApiKey, parseApiKey, type StoredApiKey } from "./api-key.ts";

const made = makeApiKey(Buffer.alloc(apiKeyBytes, 7));
const stored: StoredApiKey = {
  id: made.id,
  publisherId: publisherId.parse("publisher_a"),
  websiteId: null,
  hash: made.hash,
  scopes: ["decision:read"],
  expiresAt: null,
  revokedAt: null,
};
const presented = parseApiKey(made.key) ?? expect.fail("a made key must parse");

describe("an API key", () => {
  it("has the form sk_<id>_<secret><checksum>", () => {
    expect(made.key).toMatch(/^sk_[0-9A-Za-z]{12}_[0-9A-Za-z]{38}$/);
    expect(made.key.startsWith(`sk_${made.id}_`)).toBe(true);
    expect(made.lastFour).toBe(made.key.slice(made.key.length - 4));
  });

  it("is read back to the id and the hash it was stored under", () => {
    expect(presented).toEqual({ id: made.id, hash: made.hash });
  });

  it("is made as in every release, so that one that was handed out stays good", () => {
    const { key } = makeApiKey(Uint8Array.from({ length: apiKeyBytes }, (_, at) => at + 1));
    expect(key).toBe("sk_BpBBCDffnOQz_YAjK3eQl0SigX90Isw2eixoQnviIJYOH1Dbxsa");
    expect(parseApiKey(key)).not.toBeNull();
  });

  it("differs from the next one in id and secret, and both are read back", () => {
    const keys = Array.from({ length: 200 }, () => makeApiKey(randomBytes(apiKeyBytes)));
    expect(keys.map(({ key }) => parseApiKey(key))).toEqual(keys.map(({ id, hash }) => ({ id, hash })));
    expect(new Set(keys.map((key) => key.id)).size).toBe(200);
    expect(new Set(keys.map((key) => key.hash.toString("hex"))).size).toBe(200);
  });

  it("is not made of too few random bytes", () => {
    expect(() => makeApiKey(Buffer.alloc(16))).toThrow(RangeError);
  });

  it("is refused with any single character changed", () => {
    for (let at = 0; at < made.key.length; at += 1) {
      for (const other of ["a", "Z", "0", "_", " ", "é"]) {
        if (made.key[at] === other) continue;
        expect(parseApiKey(made.key.slice(0, at) + other + made.key.slice(at + 1))).toBeNull();
      }
    }
  });

  it.each([
    ["nothing", ""],
    ["its prefix alone", "sk_"],
    ["a truncated key", made.key.slice(0, -1)],
    ["a key with one character more", `${made.key}0`],
    ["a key with a line end", `${made.key}\n`],
    ["a public key", "pub_a"],
    ["ten thousand characters", `sk_${"a".repeat(10_000)}`],
  ])("is refused when it is %s", (_name, text) => {
    expect(parseApiKey(text)).toBeNull();
  });
});

describe("a presented key", () => {
  it("is live while nothing speaks against it", () => {
    expect(isLiveApiKey(presented, stored, 1000)).toBe(true);
    expect(isLiveApiKey(presented, { ...stored, expiresAt: 1001 }, 1000)).toBe(true);
  });

  it.each<[string, StoredApiKey | undefined]>([
    ["unknown", undefined],
    ["revoked", { ...stored, revokedAt: 999 }],
    ["expired at this very moment", { ...stored, expiresAt: 1000 }],
    ["of the right id with another secret", { ...stored, hash: Buffer.alloc(32, 1) }],
    ["of the right secret under another id", { ...stored, id: "otherotherot" }],
  ])("is refused when it is %s", (_name, candidate) => {
    expect(isLiveApiKey(presented, candidate, 1000)).toBe(false);
  });
});
