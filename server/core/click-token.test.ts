import type { OfferId, RequestId } from "@offers/contract/ids";
import { placements } from "@offers/contract/words";
import { expect, test, vi } from "vitest";
import { type ClickRefs, createClickTokens, openClickToken } from "./click-token.ts";
import { createTokenKeys } from "./token-keys.ts";
import {
  bitFlipsOfBytes,
  bitFlipsOfText,
  otherSpellings,
  sampleFacts,
  sampleKeys,
  sampleTokens,
} from "./token-samples.ts";

const clickId = Buffer.alloc(16, 0x3b);

/** One token, by a maker of its own. */
const seal = (refs: Pick<ClickRefs, "requestId" | "offerId" | "placement" | "position">, keys = sampleKeys) =>
  createClickTokens(keys, refs.requestId, clickId)(refs);

/** With the five bytes of its request's time in front. */
const withTime = (requestId: RequestId, random: Uint8Array): string =>
  Buffer.concat([
    Buffer.from(requestId.slice(8, 24), "base64url").subarray(0, 5),
    random.subarray(5),
  ]).toString("base64url");

test("what is sealed is what is opened, with the facts of its request", () => {
  const { requestId, request, refs, token } = sampleTokens();
  expect(openClickToken(sampleKeys, token)).toEqual({
    ...refs,
    requestId,
    clickId: withTime(requestId, clickId),
    facts: { request, ...sampleFacts },
  });
  expect(token).toMatch(/^[A-Za-z0-9_-]{1,200}$/);
});

test("requestIds and links that an earlier release has made are made alike and open", () => {
  const requestId =
    "req_AQFGMpqNAJVcXFxcXFxcbpiD5jYf6sfFcPxDlMil13py5732ILTNyPQrY6_hfpaZx2vr9B2qtq9m" as RequestId;
  const token = [
    "AQJGOQEBRjKajQCVXFxcXFxcXG6Yg-Y2H-rHxXD8Q5TIpdd6cue99iC0zcj0K2Ov4X6Wmcdr6_QdqravZgEAAzKajQCVOzs7Ozs7Ozs7",
    "OztzYW1wbGUtMZOxyE440gKpIvZJQJaY7dg",
  ].join("");
  expect(sampleTokens()).toMatchObject({ requestId, token });
  const { request, refs } = sampleTokens();
  const facts = { request, ...sampleFacts };
  expect(openClickToken(sampleKeys, token)).toMatchObject({ ...refs, requestId, facts });
});

test.each([
  ["version", 0],
  ["purpose", 1],
])("what is signed as of another %s is refused, as a node of another release may have made it", (_, at) => {
  const bytes = Buffer.from(sampleTokens().token, "base64url");
  bytes[at] = (bytes[at] ?? 0) + 1;
  const signed = bytes.subarray(0, -16);
  const mac = sampleKeys.sealing.clickHash(signed).subarray(0, 16);
  const other = Buffer.concat([signed, mac]).toString("base64url");
  expect(openClickToken(sampleKeys, other)).toBeNull();
});

test.each([
  ["premium", 0],
  ["standard", 1],
  ["section", 2],
] as const)(
  "the placement %s is sealed as %d, whatever the order of the contract's list",
  (placement, byte) => {
    const { requestId } = sampleTokens();
    const sealed = seal({ requestId, placement, position: 1, offerId: "offer_a" as OfferId });
    const bytes = Buffer.from(sealed, "base64url");
    expect(bytes[4 + (bytes[3] ?? 0)]).toBe(byte);
  },
);

test("every placement, position and form of offer id comes back", () => {
  const { requestId } = sampleTokens();
  for (const placement of placements) {
    for (const position of [1, 20, 65_535]) {
      for (const id of ["x", "xx", "A_9", "-".repeat(64)]) {
        const offerId = `offer_${id}` as OfferId;
        const given = { requestId, placement, position, offerId };
        expect(openClickToken(sampleKeys, seal(given))).toMatchObject(given);
      }
    }
  }
});

test("it names no price and no destination, and its facts cannot be read", () => {
  const bytes = Buffer.from(sampleTokens().token, "base64url");
  for (const part of ["http", "USNJ", Buffer.alloc(16, 0xa7)]) expect(bytes.includes(part)).toBe(false);
});

test("every bit of the text and of its bytes matters", () => {
  const { token } = sampleTokens();
  let tried = 0;
  for (const flipped of [...bitFlipsOfText(token), ...bitFlipsOfBytes(token)]) {
    expect(openClickToken(sampleKeys, flipped)).toBeNull();
    tried += 1;
  }
  expect(tried).toBe(8 * token.length + 8 * Buffer.from(token, "base64url").length);
});

test.each([1, 2, 3])("a click token has one spelling, with an offer id of %d characters", (length) => {
  const { requestId, refs } = sampleTokens();
  const token = seal({ requestId, ...refs, offerId: `offer_${"x".repeat(length)}` as OfferId });
  for (const other of otherSpellings(token)) {
    if (other !== token) expect(openClickToken(sampleKeys, other), other).toBeNull();
  }
  expect(openClickToken(sampleKeys, token)).not.toBeNull();
});

test("a token cut anywhere, or with anything behind it, is refused", () => {
  const bytes = Buffer.from(sampleTokens().token, "base64url");
  for (let length = 0; length < bytes.length; length += 1) {
    expect(openClickToken(sampleKeys, bytes.toString("base64url", 0, length))).toBeNull();
  }
  const longer = Buffer.concat([bytes, Buffer.alloc(1)]);
  expect(openClickToken(sampleKeys, longer.toString("base64url"))).toBeNull();
});

test("a requestId is no click token, with or without its prefix", () => {
  const { requestId } = sampleTokens();
  for (const text of [requestId, requestId.slice(4)]) expect(openClickToken(sampleKeys, text)).toBeNull();
});

test.each(["", "A", "AQ", "\u0000", "ünïcode", "AQIAAAAA".repeat(20)])("%j is no click token", (text) => {
  expect(openClickToken(sampleKeys, text)).toBeNull();
});

test("the current and the previous secret open it, others do not", () => {
  const [first, second, third] = ["first", "second", "third"].map((name) => `${name} secret of some length`);
  if (!first || !second || !third) throw new Error("three secrets are needed");
  const { token } = sampleTokens(createTokenKeys({ current: first }));
  expect(openClickToken(createTokenKeys({ current: first }), token)).not.toBeNull();
  expect(openClickToken(createTokenKeys({ current: second, others: [first] }), token)).not.toBeNull();
  expect(openClickToken(createTokenKeys({ current: second }), token)).toBeNull();
  expect(openClickToken(createTokenKeys({ current: third, others: [second] }), token)).toBeNull();
});

test("a link of the new secret to a requestId of the previous one opens", () => {
  const before = createTokenKeys({ current: "first secret of some length" });
  const after = createTokenKeys({ current: "second secret", others: ["first secret of some length"] });
  const { requestId, refs } = sampleTokens(before);
  expect(openClickToken(after, seal({ requestId, ...refs }, after))).not.toBeNull();
});

test("a well-signed token around a requestId that nobody can open is refused", () => {
  const stranger = sampleTokens(createTokenKeys({ current: "a stranger's secret" }));
  const { requestId, refs } = stranger;
  expect(openClickToken(sampleKeys, seal({ requestId, ...refs }))).toBeNull();
});

test("one of thirty days ago still opens: its age is for the caller to judge", () => {
  const issuedAt = sampleFacts.issuedAt - 30 * 86_400_000;
  const { token } = sampleTokens(sampleKeys, { ...sampleFacts, issuedAt });
  expect(openClickToken(sampleKeys, token)?.facts.issuedAt).toBe(issuedAt);
});

test("a text of 8 KiB is not even decoded", () => {
  const decode = vi.spyOn(Buffer, "from");
  expect(openClickToken(sampleKeys, "A".repeat(8192))).toBeNull();
  expect(decode).not.toHaveBeenCalled();
  decode.mockRestore();
});

test.each([
  ["a requestId that is none", { requestId: "req_x" as RequestId }],
  ["an offer id without its prefix", { offerId: "x" as OfferId }],
  ["an offer id that is too long", { offerId: `offer_${"x".repeat(65)}` as OfferId }],
  ["position zero", { position: 0 }],
  ["half a position", { position: 1.5 }],
  ["a position out of range", { position: 65_536 }],
])("%s is a mistake of the caller", (_, over) => {
  const { requestId, refs } = sampleTokens();
  expect(() => seal({ requestId, ...refs, ...over })).toThrow(RangeError);
});

test("the tokens of one answer share a request and nothing else, whatever the order and length of their offers", () => {
  const { requestId, refs } = sampleTokens();
  const random = Buffer.from(Array.from({ length: 7 * 16 }, (_, at) => at));
  const tokenOf = createClickTokens(sampleKeys, requestId, random);
  const given = [9, 64, 1, 30, 2, 64, 3].map((length, at) => ({
    ...refs,
    offerId: `offer_${"y".repeat(length)}` as OfferId,
    position: at + 1,
  }));
  const tokens = given.map(tokenOf);
  for (const [at, slot] of given.entries()) {
    const clickIdOf = withTime(requestId, random.subarray(at * 16, (at + 1) * 16));
    expect(openClickToken(sampleKeys, tokens[at] ?? "")).toMatchObject({
      requestId,
      ...slot,
      clickId: clickIdOf,
    });
  }
});

test.each([0, 15, 31])("%d random bytes are too few for one token more", (bytes) => {
  const { requestId, refs } = sampleTokens();
  const tokenOf = createClickTokens(sampleKeys, requestId, Buffer.alloc(bytes));
  for (let made = 0; made < Math.floor(bytes / 16); made += 1) tokenOf(refs);
  expect(() => tokenOf(refs)).toThrow(RangeError);
});
