import { publicKey } from "@offers/contract/ids";
import { expect, test } from "vitest";
import { isLikePreviewToken, previewTokenMs, previewVerdict, signPreviewToken } from "./preview-token.ts";
import { createTokenKeys } from "./token-keys.ts";

const secret = "one secret of the service, long enough";
const keys = createTokenKeys({ current: secret });
const now = Date.UTC(2026, 10, 20, 12);
const claim = { websiteId: 7, session: "cookie of Ada" };
const token = signPreviewToken(keys, claim, now);

test("a token is written like a public key and known by its form", () => {
  expect(publicKey.parse(token)).toBe(token);
  expect(isLikePreviewToken(token)).toBe(true);
  for (const other of ["pub_a", `pub_${"a".repeat(60)}`, token.slice(0, -1), `${token}a`, ""]) {
    expect(isLikePreviewToken(other), other).toBe(false);
  }
});

test.each([
  ["is valid at once", claim, now, "valid"],
  ["is valid for ten minutes", claim, now + 599_999, "valid"],
  ["is expired then", claim, now + 600_000, "expired"],
  ["is no other website's", { ...claim, websiteId: 8 }, now, "other_website"],
  ["is no other session's", { ...claim, session: "cookie of Bob" }, now, "other_session"],
  [
    "is no other session's, nor when expired",
    { ...claim, session: "" },
    now + previewTokenMs,
    "other_session",
  ],
  ["is valid where the session was proved before", { websiteId: 7 }, now, "valid"],
] as const)("a token %s", (_, expected, at, verdict) => {
  expect(previewVerdict(keys, token, expected, at)).toBe(verdict);
});

test("a token is forged when any of its characters is another", () => {
  for (let at = 0; at < token.length; at += 1) {
    const other = token[at] === "A" ? "B" : "A";
    const forged = token.slice(0, at) + other + token.slice(at + 1);
    expect(previewVerdict(keys, forged, claim, now), forged).toBe("forged");
  }
});

test.each(["", "pub_", "pub_a", token.slice(4), `${token}A`, `${token}=`, `pub_${"A".repeat(60)}`])(
  "%j is no token",
  (text) => expect(previewVerdict(keys, text, claim, now)).toBe("forged"),
);

test("a token lives through a change of the secret, and no longer than the previous one is known", () => {
  const changed = createTokenKeys({
    current: "the next secret of the service, long enough",
    others: [secret],
  });
  expect(previewVerdict(changed, token, claim, now)).toBe("valid");
  const other = createTokenKeys({ current: "the next secret of the service, long enough" });
  expect(previewVerdict(other, token, claim, now)).toBe("forged");
});
