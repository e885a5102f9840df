import { mostSuppressed } from "@offers/contract/decline";
import { clickToken, type OfferId } from "@offers/contract/ids";
import { knownNetworks } from "@offers/contract/words";
import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { createClickTokens, openClickToken } from "./click-token.ts";
import { packFacts, type SealedFacts, unpackFacts } from "./request-facts.ts";
import { openRequestId, openRequestIdBytes, requestIdBytes, sealRequestId } from "./request-id.ts";
import { requestKeyOf } from "./request-key.ts";
import type { Suppression } from "./suppression.ts";
import { createTokenKeys } from "./token-keys.ts";
import {
  bitFlipsOfBytes,
  bitFlipsOfText,
  otherSpellings,
  sampleFacts,
  sampleKeys,
  sampleTokens,
} from "./token-samples.ts";

const bare = (requestId: string) => requestId.slice("req_".length);

const someSuppression: fc.Arbitrary<Suppression> = fc.record({
  vulnerable: fc.boolean(),
  names: fc.array(fc.integer({ min: 0, max: 2 ** 32 - 1 }), { maxLength: 20 }),
});

const everyFact = {
  websiteId: fc.integer({ min: 1, max: 2 ** 32 - 1 }),
  country: fc.stringMatching(/^[A-Z]{2}$/),
  region: fc.stringMatching(/^[A-Z0-9]{0,3}$/),
  allowed: fc.boolean(),
  surface: fc.constantFrom("overlay" as const, "section" as const, "decline" as const),
  test: fc.boolean(),
  visitor: fc.option(
    fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => Buffer.from(bytes).toString("base64url")),
  ),
  issuedAt: fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2054, 0, 1) }),
};
const decidedBy = fc.record({
  catalogue: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  geoSource: fc.integer({ min: 0, max: 2 ** 24 - 1 }),
});
const network = fc.constantFrom(...knownNetworks);
const someFacts: fc.Arbitrary<SealedFacts> = fc.oneof(
  fc.record(everyFact),
  fc.record({ ...everyFact, decidedBy }),
  fc.record({ ...everyFact, decidedBy, network }),
);
const declineFacts: fc.Arbitrary<SealedFacts> = fc.oneof(
  fc.record({ ...everyFact, suppression: someSuppression }),
  fc.record({ ...everyFact, suppression: someSuppression, decidedBy }),
  fc.record({ ...everyFact, suppression: someSuppression, decidedBy, network }),
);
const someRandom = fc.uint8Array({ minLength: 7, maxLength: 7 });

test("what is sealed is what is opened, in at most 92 characters that begin with the request's key", () => {
  fc.assert(
    fc.property(someFacts, someRandom, (facts, random) => {
      const request = requestKeyOf(facts.issuedAt, random);
      const requestId = sealRequestId(sampleKeys, facts, request);
      expect(requestId).toMatch(/^req_[A-Za-z0-9_-]{52,88}$/);
      expect(requestId.slice(8, 24)).toBe(request);
      expect(openRequestId(sampleKeys, requestId)).toEqual({ request, ...facts });
    }),
    { numRuns: 2_000 },
  );
});

test("what is suppressed is sealed with it, in at most 200 characters that still fit a link", () => {
  fc.assert(
    fc.property(declineFacts, someRandom, (facts, random) => {
      const request = requestKeyOf(facts.issuedAt, random);
      const requestId = sealRequestId(sampleKeys, facts, request);
      expect(requestId.length).toBeLessThanOrEqual(200);
      expect(openRequestId(sampleKeys, requestId)).toEqual({ request, ...facts });
      const slot = { offerId: `offer_${"a".repeat(64)}` as OfferId, placement, position: 20 };
      const token = createClickTokens(sampleKeys, requestId, Buffer.alloc(16))(slot);
      expect(clickToken.safeParse(token).success).toBe(true);
      expect(openClickToken(sampleKeys, token)?.facts).toEqual({ request, ...facts });
    }),
    { numRuns: 500 },
  );
});

test("as many suppressed names as there may be come back", () => {
  const names = Array.from({ length: mostSuppressed }, (_, at) => at);
  const facts = { ...sampleFacts, suppression: { vulnerable: true, names } };
  const { requestId } = sampleTokens(sampleKeys, facts);
  expect(openRequestId(sampleKeys, requestId)).toMatchObject(facts);
});

test.each([
  ["datacenter", 1],
  ["search_engine", 2],
] as const)("the network %s is sealed as %d, whatever the order of the contract's list", (network, byte) => {
  const decidedBy = { catalogue: 1, geoSource: 1 };
  const bytes = packFacts({ ...sampleFacts, decidedBy, network });
  expect(bytes.at(-1)).toBe(byte);
});

test("the fullest facts are packed as earlier releases pack them", () => {
  const fullest: SealedFacts = {
    ...sampleFacts,
    suppression: { vulnerable: true, names: [1, 2 ** 32 - 1] },
    decidedBy: { catalogue: 7, geoSource: 9 },
    network: "search_engine",
  };
  const packed = packFacts(fullest).toString("hex");
  expect(packed).toBe(
    "03aeee6b280055534e4aa7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a78200000001ffffffff0000000700000902",
  );
  expect(unpackFacts(Buffer.from(packed, "hex"), fullest.issuedAt)).toEqual(fullest);
});

const placement = "standard" as const;

test.each([
  ["a version that is not known", 4, 0, 15],
  ["no version", 0, 0, 15],
  ["a network beside nothing", 3, 0, 9, 1],
  ["a network that is missing", 3, 0, 15],
  ["a network that is none", 3, 0, 16],
  ["a byte behind the network", 3, 0, 17],
  ["what it was decided by is missing", 2, 0, 8],
  ["a part of that", 2, 0, 14],
  ["a byte behind it", 2, 0, 16],
  ["a surface that is two", 1, 0x42, 8],
  ["a suppression that is missing", 1, 0x80, 8],
  ["more hashes than there are", 1, 0x80, 9, 3],
  ["a hash that is cut", 1, 0x80, 9 + 11, 3],
  ["more hashes than there may be", 1, 0x80, 9 + 21 * 4, 21],
  ["fewer hashes than there are", 1, 0x80, 9 + 8, 1],
  ["a byte too many", 1, 0, 9],
])("%s is nothing that the service writes", (_, version, flags, length, head = 0) => {
  const bytes = Buffer.alloc(length);
  bytes[0] = version;
  bytes[1] = flags;
  if (length > 8) bytes[8] = head;
  expect(unpackFacts(bytes, 0)).toBeNull();
});

test("nothing of the facts can be read in it", () => {
  const { requestId } = sampleTokens();
  const bytes = Buffer.from(bare(requestId), "base64url");
  for (const part of ["USNJ", Buffer.alloc(16, 0xa7), Buffer.from([0xee, 0x6b, 0x28, 0x00])]) {
    expect(bytes.includes(part)).toBe(false);
  }
});

test("every bit of the text and of its bytes matters", () => {
  const { requestId } = sampleTokens();
  let tried = 0;
  for (const flipped of [
    ...bitFlipsOfText(requestId),
    ...[...bitFlipsOfBytes(bare(requestId))].map((t) => `req_${t}`),
  ]) {
    expect(openRequestId(sampleKeys, flipped)).toBeNull();
    tried += 1;
  }
  expect(tried).toBe(8 * requestId.length + 8 * Buffer.from(bare(requestId), "base64url").length);
});

test.each([
  ["of the fullest kind", sampleFacts],
  ["whose last character has stray bits", { ...sampleFacts, region: "" }],
  ["of the least kind", { ...sampleFacts, region: "", visitor: null }],
])("a requestId %s has one spelling", (_, facts) => {
  const { requestId } = sampleTokens(sampleKeys, facts);
  for (const other of otherSpellings(bare(requestId))) {
    if (other !== bare(requestId)) expect(openRequestId(sampleKeys, `req_${other}`), other).toBeNull();
  }
  expect(openRequestId(sampleKeys, requestId)).not.toBeNull();
});

test.each(["", "req_", "req_A", "REQ_", "req_".repeat(30), "\u0000", "req_ünïcode", "req_AQEAAAA"])(
  "%j is no requestId",
  (text) => {
    expect(openRequestId(sampleKeys, text)).toBeNull();
  },
);

test("a click token is no requestId, under any prefix", () => {
  const { token } = sampleTokens();
  for (const text of [token, `req_${token}`, `req_${token.slice(0, 78)}`]) {
    expect(openRequestId(sampleKeys, text)).toBeNull();
  }
});

test("its bytes cut anywhere are none", () => {
  const bytes = requestIdBytes(sampleTokens().requestId) ?? Buffer.alloc(0);
  for (let length = 0; length < bytes.length; length += 1) {
    expect(openRequestIdBytes(sampleKeys, bytes.subarray(0, length))).toBeNull();
  }
  expect(openRequestIdBytes(sampleKeys, bytes)).not.toBeNull();
});

test.each([
  ["version", [2, 1]],
  ["purpose", [1, 2]],
])("what is sealed as of another %s is none, as a node of another release may have made it", (_, head) => {
  const { sealing } = sampleKeys;
  const bytes = Buffer.from([...head, sealing.fingerprint]);
  const requestHeader = { bytes, text: bytes.toString("base64url") };
  const { requestId } = sampleTokens({ ...sampleKeys, sealing: { ...sealing, requestHeader } });
  expect(openRequestId(sampleKeys, requestId)).toBeNull();
});

test("the current and the previous secret open it, others do not", () => {
  const [first, second, third] = ["first", "second", "third"].map((name) => `${name} secret of some length`);
  if (!first || !second || !third) throw new Error("three secrets are needed");
  const { requestId } = sampleTokens(createTokenKeys({ current: first }));
  expect(openRequestId(createTokenKeys({ current: first }), requestId)).not.toBeNull();
  expect(openRequestId(createTokenKeys({ current: second, others: [first] }), requestId)).not.toBeNull();
  expect(openRequestId(createTokenKeys({ current: second }), requestId)).toBeNull();
  expect(openRequestId(createTokenKeys({ current: third, others: [second] }), requestId)).toBeNull();
});

test("among 600 retired secrets, some with the same fingerprint, none opens anything", () => {
  const { requestId } = sampleTokens();
  let alike = 0;
  for (let at = 0; at < 600; at += 1) {
    const keys = createTokenKeys({ current: `stranger's secret ${at}` });
    if (keys.sealing.fingerprint === sampleKeys.sealing.fingerprint) alike += 1;
    expect(openRequestId(keys, requestId)).toBeNull();
  }
  expect(alike).toBeGreaterThan(0);
});

test("two live secrets with one fingerprint both open what they made", () => {
  const current = "a secret of at least thirty-two characters";
  const candidates = Array.from({ length: 5_000 }, (_, at) => `secret number ${at}`);
  const wanted = sampleKeys.sealing.fingerprint;
  const previous = candidates.find(
    (text) => createTokenKeys({ current: text }).sealing.fingerprint === wanted,
  );
  if (previous === undefined) throw new Error("no secret with that fingerprint");
  const old = sampleTokens(createTokenKeys({ current: previous }));
  const keys = createTokenKeys({ current, others: [previous] });
  expect(openRequestId(keys, old.requestId)).not.toBeNull();
  expect(openRequestId(keys, sampleTokens().requestId)).not.toBeNull();
});

test("one of thirty days ago still opens: its age is for the caller to judge", () => {
  const keys = createTokenKeys({ current: "a secret of at least thirty-two characters" });
  const month = 30 * 86_400_000;
  const { requestId } = sampleTokens(sampleKeys, { ...sampleFacts, issuedAt: sampleFacts.issuedAt - month });
  sampleTokens(keys);
  expect(openRequestId(keys, requestId)?.issuedAt).toBe(sampleFacts.issuedAt - month);
});

test("a text of 8 KiB is not even decoded", () => {
  const decode = vi.spyOn(Buffer, "from");
  expect(openRequestId(sampleKeys, `req_${"A".repeat(8192)}`)).toBeNull();
  expect(decode).not.toHaveBeenCalled();
  decode.mockRestore();
});

test.each([
  ["a country in words", { country: "USA" }],
  ["a country in lower case", { country: "us" }],
  ["a long region", { region: "NJNJ" }],
  ["a visitor that is no hash", { visitor: "me" }],
  ["a visitor with stray bits", { visitor: `${"A".repeat(21)}B` }],
  ["a network without what it was decided by", { network: "datacenter" as const }],
  ["a website id out of range", { websiteId: 2 ** 32 }],
  ["a website id that is not whole", { websiteId: 1.5 }],
  ["a time before 2020", { issuedAt: Date.UTC(2020, 0, 1) - 1 }],
  ["a time that is none", { issuedAt: Number.NaN }],
  ["21 suppressed names", { suppression: { vulnerable: false, names: Array(21).fill(1) } }],
])("%s is a mistake of the caller", (_, over) => {
  expect(() => sampleTokens(sampleKeys, { ...sampleFacts, ...over })).toThrow(RangeError);
});

test.each([
  ["of another time", requestKeyOf(sampleFacts.issuedAt + 1, new Uint8Array(7))],
  ["that is too short", requestKeyOf(sampleFacts.issuedAt, new Uint8Array(7)).slice(0, 15)],
  ["that is too long", `${requestKeyOf(sampleFacts.issuedAt, new Uint8Array(7))}A`],
])("a request's key %s is a mistake of the caller", (_, request) => {
  expect(() => sealRequestId(sampleKeys, sampleFacts, request)).toThrow(RangeError);
});
