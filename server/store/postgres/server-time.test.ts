import { expect, test } from "vitest";
import type { Ask } from "./asking.ts";
import { prepareServerTime } from "./server-time.ts";

/** A server whose clock is ahead, a millisecond away. */
const serverAt = (ahead: { ms: number }) => {
  const own = { now: 1_000_000, asked: 0 };
  const ask: Ask = async <Row>() => {
    own.now += 1;
    own.asked += 1;
    const answer = [{ at: own.now + ahead.ms }] as Row[];
    own.now += 1;
    return answer;
  };
  return { own, time: prepareServerTime(ask, () => own.now) };
};

test("the first look takes five round trips, and each later one", async () => {
  const { own, time } = serverAt({ ms: 40_000 });
  expect(time.offsetMs()).toBe(0);
  await time.look();
  expect([own.asked, time.offsetMs()]).toEqual([5, 40_000]);
  await time.look();
  expect([own.asked, time.offsetMs()]).toEqual([6, 40_000]);
});

test("a clock that was put right is believed by the third round trip, and another server's at once", async () => {
  const ahead = { ms: 5000 };
  const { time } = serverAt(ahead);
  await time.look();
  ahead.ms = 0;
  await time.look();
  await time.look();
  expect(time.offsetMs()).toBe(5000);
  await time.look();
  expect(time.offsetMs()).toBe(0);
  ahead.ms = -700;
  time.forget();
  await time.look();
  expect(time.offsetMs()).toBe(-700);
});
