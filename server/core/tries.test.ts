import { expect, test } from "vitest";
import { createTries } from "./tries.ts";

const limit = { most: 60, windowMs: 60_000 };
const { most, windowMs } = limit;

test("a key has so many tries in a window, whatever others do, and what is given back does not count", () => {
  const { take, giveBack } = createTries(limit);
  for (let times = 0; times < most; times += 1) expect(take("one", times)).toEqual({ ok: true });
  expect(take("one", 1000)).toEqual({ ok: false, retrySeconds: windowMs / 1000 - 1 });
  expect(take("other", 1000)).toEqual({ ok: true });
  giveBack("one");
  expect(take("one", 2000)).toEqual({ ok: true });
  expect(take("one", windowMs - 1)).toEqual({ ok: false, retrySeconds: 1 });
  expect(take("one", windowMs)).toEqual({ ok: true });
});

test("a key that is forgotten begins anew, and no other", () => {
  const { take, forget } = createTries(limit);
  for (let times = 0; times < most; times += 1) for (const key of ["one", "other"]) take(key, 0);
  forget("one");
  expect(take("one", 0)).toEqual({ ok: true });
  expect(take("other", 0).ok).toBe(false);
});

test("what belongs to a window that is over gives nothing to the next one", () => {
  const { take, giveBack } = createTries(limit);
  giveBack("one");
  for (let times = 0; times < most; times += 1) take("one", 0);
  expect(take("one", 0).ok).toBe(false);
});

test("of too many keys the first begins anew", () => {
  const { take } = createTries(limit);
  for (let times = 0; times <= most; times += 1) take("first", 0);
  expect(take("first", 0).ok).toBe(false);
  for (let other = 0; other < 32_768; other += 1) take(`key ${other}`, 0);
  expect(take("first", 0).ok).toBe(true);
});
