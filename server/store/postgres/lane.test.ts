import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { JournalEntry, JournalOutcome } from "../../core/journal-entry.ts";
import { blocked, visitOf } from "../conformance/journal-for-tests.ts";
import { entriesText } from "../journal/entry-text.ts";
import { createLane } from "./lane.ts";
import { CommitUnknown } from "./write-batch.ts";
import type { WriterSession } from "./writer-session.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const recorded: JournalOutcome = { eventId: null, refusal: null, billedMicros: null };
const decidedOf = (entries: readonly JournalEntry[]) => ({
  written: { outcomes: entries.map(() => recorded), failures: [] },
  exhausted: [],
});

type Batches = WriterSession["batches"];

/** A lane over a server that can be away, and of which each batch is committed without anybody hearing of it. */
const newLane = async ({ write }: Partial<Pick<Batches, "write">> = {}) => {
  let isAway = false;
  let end = (): void => undefined;
  const written: string[][] = [];
  const looks = vi.fn<WriterSession["check"]>(async () => "held");
  const openSession = async (given: { next: () => number; onEnd: () => void }): Promise<WriterSession> => {
    if (isAway) throw Object.assign(new Error("away"), { code: "ECONNREFUSED" });
    end = given.onEnd;
    return {
      batches: {
        write:
          write ??
          (async (entries: readonly JournalEntry[]) => {
            written.push(entries.map((entry) => ("visit" in entry ? entry.visit.request : "")));
            throw new CommitUnknown("lost", given.next(), decidedOf(entries));
          }),
      } as unknown as Batches,
      committed: written.length,
      warnings: [],
      check: looks,
      drop: () => undefined,
      end: async () => undefined,
    };
  };
  const lane = createLane({ openSession, tell: () => undefined });
  await lane.open();
  return {
    lane,
    written,
    looks,
    /** The connection ends, and there is no other one for so long. */
    awayFor: async (ms: number): Promise<void> => {
      isAway = true;
      end();
      await vi.advanceTimersByTimeAsync(ms);
      isAway = false;
      await vi.advanceTimersByTimeAsync(2000);
    },
  };
};

test("what was committed without anybody hearing of it is known again after another outage, however long", async () => {
  const { lane, written, awayFor } = await newLane();
  const text = entriesText([blocked(visitOf("r1"))]);
  await expect(lane.write(text, 0, 0)).rejects.toMatchObject({ code: "commit_unknown" });
  await vi.advanceTimersByTimeAsync(100);
  await awayFor(10 * 60_000);
  const answer = await lane.write(text, 0, 1000);
  expect(JSON.parse(answer.writtenJson)).toEqual({ outcomes: [recorded], failures: [] });
  expect(written).toHaveLength(1);
  await lane.close();
});

test("what does not come again within a minute of a connection is forgotten", async () => {
  const { lane, written } = await newLane();
  const text = entriesText([blocked(visitOf("r1"))]);
  await expect(lane.write(text, 0, 0)).rejects.toMatchObject({ code: "commit_unknown" });
  await vi.advanceTimersByTimeAsync(61_000);
  await expect(lane.write(text, 0, 0)).rejects.toMatchObject({ code: "commit_unknown" });
  expect(written).toHaveLength(2);
  await lane.close();
});

test("a lane that is never idle looks after its server each second all the same, between two batches", async () => {
  const committing: (() => void)[] = [];
  const { lane, looks } = await newLane({
    write: (entries) => new Promise((resolve) => committing.push(() => resolve(decidedOf(entries)))),
  });
  for (const [turn, ms] of [1000, 200, 800].entries()) {
    const answer = lane.write(entriesText([blocked(visitOf(`r${turn}`))]), 0, 0);
    await vi.advanceTimersByTimeAsync(ms);
    committing[turn]?.();
    await answer;
  }
  expect(looks).toHaveBeenCalledTimes(2);
  await lane.close();
});
