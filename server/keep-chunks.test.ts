import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { keepChunks } from "./keep-chunks.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const minuteMs = 60 * 1000;
const chunks = new Map([["a.js", Buffer.from("a")]]);

/** A store that keeps chunks as often as it is not refused, and what was logged of that. */
const start = async (refused: readonly number[] = []) => {
  const service = { calls: 0, isDraining: false, logged: [] as string[] };
  await keepChunks(
    {
      putChunks: async (given) => {
        service.calls += 1;
        expect(given).toBe(chunks);
        if (refused.includes(service.calls)) throw new Error("the storage refuses");
      },
    },
    chunks,
    { log: ({ event }) => service.logged.push(event), isDraining: () => service.isDraining },
  );
  return service;
};

it("a service keeps its chunks again each hour, so that no other release's start lets go of them", async () => {
  const service = await start();
  expect(service.calls).toBe(1);
  await vi.advanceTimersByTimeAsync(60 * minuteMs - 1);
  expect(service.calls).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(service.calls).toBe(2);
  await vi.advanceTimersByTimeAsync(47 * 60 * minuteMs);
  expect(service.calls).toBe(49);
  expect(service.logged).toEqual([]);
});

it("one that was refused tells it, and tries again after a minute", async () => {
  const service = await start([1, 2]);
  expect(service.logged).toEqual(["chunks_not_kept"]);
  await vi.advanceTimersByTimeAsync(minuteMs);
  expect(service.logged).toEqual(["chunks_not_kept", "chunks_not_kept"]);
  await vi.advanceTimersByTimeAsync(minuteMs);
  expect(service).toMatchObject({ calls: 3 });
  await vi.advanceTimersByTimeAsync(59 * minuteMs);
  expect(service).toMatchObject({ calls: 3 });
});

it("one that is ending leaves them to others", async () => {
  const service = await start();
  service.isDraining = true;
  await vi.advanceTimersByTimeAsync(120 * minuteMs);
  expect(service.calls).toBe(1);
  expect(vi.getTimerCount()).toBe(0);
});
