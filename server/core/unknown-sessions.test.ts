import { expect, test } from "vitest";
import { createUnknownSessions, unknownSessionTries } from "./unknown-sessions.ts";

const { most, windowMs } = unknownSessionTries;

test("a network has so many looked up in a minute, whatever others do, and what was found does not count", () => {
  const { take, giveBack } = createUnknownSessions();
  for (let times = 0; times < most; times += 1) expect(take("192.0.2.1", times)).toEqual({ ok: true });
  expect(take("192.0.2.1", 1000)).toEqual({ ok: false, retrySeconds: windowMs / 1000 - 1 });
  expect(take("192.0.2.2", 1000)).toEqual({ ok: true });
  giveBack("192.0.2.1");
  expect(take("192.0.2.1", 2000)).toEqual({ ok: true });
  expect(take("192.0.2.1", windowMs - 1)).toEqual({ ok: false, retrySeconds: 1 });
  expect(take("192.0.2.1", windowMs)).toEqual({ ok: true });
});

test("what belongs to a minute that is over gives nothing to the next one", () => {
  const { take, giveBack } = createUnknownSessions();
  giveBack("192.0.2.1");
  for (let times = 0; times < most; times += 1) take("192.0.2.1", 0);
  expect(take("192.0.2.1", 0).ok).toBe(false);
});

test("of too many networks the first begins anew", () => {
  const { take } = createUnknownSessions();
  for (let times = 0; times <= most; times += 1) take("first", 0);
  expect(take("first", 0).ok).toBe(false);
  for (let other = 0; other < 32_768; other += 1) take(`network ${other}`, 0);
  expect(take("first", 0).ok).toBe(true);
});
