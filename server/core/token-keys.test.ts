import { expect, test } from "vitest";
import { createTokenKeys } from "./token-keys.ts";

const current = "a secret of at least thirty-two characters";
const previous = "another secret of thirty-two characters";

test("keys differ by purpose, by day and by secret, and are the same each time", () => {
  const one = createTokenKeys({ current }).sealing;
  const again = createTokenKeys({ current }).sealing;
  const other = createTokenKeys({ current: previous }).sealing;
  const exported = [one.requestKey(1), one.requestKey(2), other.requestKey(1)].map((key) =>
    key.export().toString("hex"),
  );
  const hashed = [one, other].map(({ clickHash }) => clickHash("message").toString("hex"));
  expect(new Set([...exported, ...hashed]).size).toBe(5);
  expect(again.requestKey(1).equals(one.requestKey(1))).toBe(true);
  expect(again.clickHash("message").equals(one.clickHash("message"))).toBe(true);
  expect(again.fingerprint).toBe(one.fingerprint);
});

test("a day's key is made once when it is kept, and only the latest days are kept", () => {
  const { sealing } = createTokenKeys({ current });
  expect(sealing.requestKey(1)).not.toBe(sealing.requestKey(1));
  const kept = sealing.requestKey(1);
  sealing.keepRequestKey(1, kept);
  expect(sealing.requestKey(1)).toBe(kept);
  for (let day = 2; day < 60; day += 1) sealing.keepRequestKey(day, sealing.requestKey(day));
  expect(sealing.requestKey(1)).not.toBe(kept);
  for (const day of [58, 59]) expect(sealing.requestKey(day)).toBe(sealing.requestKey(day));
});

test("the previous secret opens, a retired one does not, and the current one seals", () => {
  const keys = createTokenKeys({ current, others: [previous] });
  const old = createTokenKeys({ current: previous }).sealing.fingerprint;
  expect(keys.sealing.fingerprint).toBe(createTokenKeys({ current }).sealing.fingerprint);
  expect(keys.opening(old).map(({ fingerprint }) => fingerprint)).toEqual([old]);
  expect(createTokenKeys({ current }).opening(old)).toEqual([]);
});

test("each of several others opens, whether it was in use before or will be, and once however often it is named", () => {
  const next = "the secret that nodes change over to";
  const keys = createTokenKeys({ current, others: [previous, next, previous] });
  for (const other of [previous, next]) {
    const { fingerprint } = createTokenKeys({ current: other }).sealing;
    expect(keys.opening(fingerprint)).toHaveLength(1);
  }
  expect(keys.sealing.fingerprint).toBe(createTokenKeys({ current }).sealing.fingerprint);
});

test.each([[[]], [[""]], [[current]], [[current, "", current]]])("%j are no other secrets", (others) => {
  const keys = createTokenKeys({ current, others });
  expect(keys.opening(keys.sealing.fingerprint)).toHaveLength(1);
  expect(Array.from({ length: 256 }, (_, byte) => keys.opening(byte)).flat()).toHaveLength(1);
});

test("an empty current secret is refused", () => {
  expect(() => createTokenKeys({ current: "" })).toThrow(RangeError);
});
