import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { BlockedEntry, JournalOutcome } from "../../core/journal-entry.ts";
import { StorageUnavailable } from "../../core/storage-unavailable.ts";
import { blocked, hop, visitOf } from "../conformance/journal-for-tests.ts";
import { entriesOf } from "./entry-text.ts";
import { JournalQueue } from "./journal-queue.ts";
import { ManualSpool } from "./spool-for-tests.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const outcome: JournalOutcome = { eventId: null, refusal: null, billedMicros: null };
const away = { code: "ECONNREFUSED", retryAfterSeconds: 1 };
const entry = (request: string) => blocked(visitOf(request));
const range = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`);
const linesOf = (requests: readonly string[], from = 1) =>
  requests.map((request, index) => ({ position: from + index, entry: entry(request) }));

/** A queue over a spool, both of which are answered by the test. */
const newQueue = (spool = new ManualSpool()) => {
  const batches: { requests: string[]; kept: number; again: number }[] = [];
  const log: object[] = [];
  const queue = new JournalQueue(
    (text, kept) => {
      const entries = entriesOf(text) as BlockedEntry[];
      const requests = entries.map(({ visit }) => visit.request.replace(/_+$/, ""));
      batches.push({ requests, kept, again: entries.filter(({ isAgain }) => isAgain).length });
    },
    (event) => log.push(event),
  );
  queue.useSpool(spool);
  const turn = () => new Promise(setImmediate);
  const last = () => batches.at(-1) ?? { requests: [], kept: 0, again: 0 };
  const commit = async () => {
    queue.recorded({
      outcomes: last()
        .requests.slice(last().kept)
        .map(() => outcome),
      failures: [],
    });
    await turn();
  };
  const refuse = async () => {
    queue.refused(away);
    await turn();
  };
  /** Until the spool has done whatever it was asked for. */
  const spooled = async () => {
    while (spool.step()) await turn();
  };
  /** Answers batches and the spool until nothing happens any more. */
  const settle = async () => {
    for (let seen = -1; seen !== batches.length; ) {
      seen = batches.length;
      await commit();
      await spooled();
    }
  };
  const keep = (requests: readonly string[], waitMs = 5000) =>
    requests.map((request) => queue.keep(entry(request), waitMs));
  const kept = () => batches.flatMap(({ requests, kept }) => requests.slice(0, kept));
  return { queue, spool, batches, log, turn, last, commit, refuse, spooled, settle, keep, kept };
};

describe("kept entries with a spool", () => {
  test("touch it not at all while the storage takes its batches", async () => {
    const { spool, turn, commit, keep } = newQueue();
    const told = keep(range(5000, "k"));
    await turn();
    for (let batch = 0; batch < 10; batch++) await commit();
    expect(await Promise.all(told)).toEqual(Array(5000).fill("committed"));
    expect([spool.adds, spool.steps]).toEqual([0, 0]);
  });

  test("come along with what refers to them, where none is in the spool", async () => {
    const refer = (queue: JournalQueue, request: string) => void queue.append(hop(visitOf(request), 1));
    const { queue, turn, batches, commit, keep } = newQueue();
    keep(["first"]);
    await turn();
    keep(range(1000, "k"));
    refer(queue, "k900");
    await commit();
    expect(batches[1]?.requests.slice(-3)).toEqual(["k498", "k900", "k900"]);
    const old = newQueue(new ManualSpool(linesOf(range(10, "old"))));
    refer(old.queue, "somebody");
    await old.turn();
    await old.spooled();
    old.keep(range(10, "k"));
    refer(old.queue, "k9");
    await old.commit();
    expect(old.last().requests).toEqual([...range(10, "old"), "k9"]);
    await old.settle();
    expect(old.kept()).toEqual([...range(10, "old"), ...range(10, "k")]);
    expect(old.spool.lines).toEqual([]);
  });

  test("are on its disk after the first refusal, their callers told so, and are recorded once it is over, in order", async () => {
    const { queue, spool, batches, turn, last, refuse, spooled, settle, keep, kept, log } = newQueue();
    const early = keep(["a", "b"]);
    await turn();
    early.push(...keep(["c"]));
    expect([queue.waiting(), queue.inMemory()]).toEqual([3, 3]);
    await refuse();
    expect(spool.lines).toEqual([]);
    await spooled();
    expect(await Promise.all(early)).toEqual(["pending", "pending", "pending"]);
    expect(spool.lines.map(({ entry: line }) => line?.visit.request.slice(0, 1))).toEqual(["a", "b", "c"]);
    // The attempts that follow find out whether the storage is back, and carry nothing.
    const late = keep(range(1200, "d"));
    await turn();
    expect(batches).toHaveLength(1);
    for (let attempt = 0; attempt < 5; attempt++) {
      vi.advanceTimersByTime(250);
      expect(last().requests).toEqual([]);
      await spooled();
      await refuse();
    }
    expect(batches).toHaveLength(6);
    expect(spool.lines).toHaveLength(1203);
    expect([queue.waiting(), queue.inMemory()]).toEqual([1203, 0]);
    vi.advanceTimersByTime(250);
    await settle();
    expect(kept().slice(2)).toEqual(["a", "b", "c", ...range(1200, "d")]);
    expect(await Promise.all(late)).toEqual(Array(1200).fill("pending"));
    expect(spool.lines).toEqual([]);
    expect(queue.waiting()).toBe(0);
    expect(log.map((event) => Object.values(event)[0])).toEqual([
      "journal_refused",
      "spool_filling",
      "journal_recovered",
      "spool_empty",
    ]);
    const again = keep(["z"]);
    await turn();
    expect(last().requests).toEqual(["z"]);
    await settle();
    expect(await Promise.all(again)).toEqual(["committed"]);
  });

  test("take at the most half of a batch from callers who wait, however many the spool holds", async () => {
    const { queue, turn, commit, spooled, batches } = newQueue(new ManualSpool(linesOf(range(5000, "s"))));
    await spooled();
    const first = batches.length;
    const appended = range(1000, "a").map((request) => queue.append(entry(request)));
    await turn();
    for (let batch = 0; batch < 8; batch++) {
      await commit();
      await spooled();
    }
    const shares = batches
      .slice(first, first + 5)
      .map(({ requests, kept }) => [kept, requests.length - kept]);
    expect(shares).toEqual([...Array(4).fill([250, 250]), [500, 0]]);
    expect(await Promise.all(appended)).toHaveLength(1000);
  });

  test("go behind those of a former process, which come as ones that may be recorded already", async () => {
    const { spool, turn, spooled, settle, keep, kept, batches } = newQueue(
      new ManualSpool(linesOf(range(700, "s"), 41)),
    );
    const told = keep(["new"], 5000);
    vi.advanceTimersByTime(1);
    expect(await Promise.all(told)).toEqual(["pending"]);
    await turn();
    await spooled();
    await settle();
    expect(kept()).toEqual([...range(700, "s"), "new"]);
    expect(batches[0]).toMatchObject({ kept: 500, again: 500 });
    expect(spool.lines).toEqual([]);
  });

  test("go past the spool again as soon as it holds none, though new ones come with every batch", async () => {
    const { spool, spooled, turn, commit, keep, kept } = newQueue(new ManualSpool(linesOf(range(1200, "s"))));
    await spooled();
    for (let batch = 0; batch < 4; batch++) {
      keep(range(100, `${batch}-`));
      await turn();
      await commit();
      await spooled();
    }
    expect(spool.adds).toBe(1);
    expect(spool.lines).toEqual([]);
    const told = keep(["z"]);
    await turn();
    await commit();
    await commit();
    await spooled();
    expect(await Promise.all(told)).toEqual(["committed"]);
    const live = range(4, "").flatMap((batch) => range(100, `${batch}-`));
    expect(kept()).toEqual([...range(1200, "s"), ...live, "z"]);
  });

  test("wait in memory up to 5,000, and in the spool beyond that, while a batch takes its time", async () => {
    const { spool, turn, commit, spooled, settle, keep, kept } = newQueue();
    void keep(["slow"]);
    await turn();
    const told = keep(range(7000, "k"));
    await turn();
    expect(spool.adds).toBe(0);
    await commit();
    await spooled();
    expect(spool.promised.size).toBe(7000);
    await settle();
    expect(kept()).toEqual(["slow", ...range(7000, "k")]);
    expect(await Promise.all(told)).toEqual(Array(7000).fill("pending"));
  });

  test("wait in memory where the spool's disk refuses, 50,000 of them, and need it not afterwards", async () => {
    const { queue, spool, turn, refuse, spooled, settle, keep, kept, log } = newQueue();
    const told = keep(["a"], 50);
    await turn();
    await refuse();
    spool.fail();
    await turn();
    told.push(...keep(range(49_999, "k"), 50));
    await expect(queue.keep(entry("too-many"), 50)).rejects.toBeInstanceOf(StorageUnavailable);
    expect(queue.isFull()).toBe(true);
    for (let attempt = 0; attempt < 8; attempt++) {
      vi.advanceTimersByTime(250);
      await turn();
      if (spool.steps > 0) spool.fail();
      await refuse();
    }
    expect(spool.adds).toBeGreaterThan(1);
    expect(spool.adds).toBeLessThan(5);
    vi.advanceTimersByTime(250);
    await settle();
    expect(new Set(await Promise.all(told))).toEqual(new Set(["pending"]));
    await spooled();
    await settle();
    expect(kept().slice(1)).toEqual(["a", ...range(49_999, "k")]);
    const refusals = log.filter((event) => "event" in event && event.event === "spool_refused");
    expect(refusals).toHaveLength(1);
  });

  test("are recorded from memory where those in the spool cannot be read", async () => {
    const { spool, turn, commit, settle, spooled, keep, last, kept } = newQueue(
      new ManualSpool(linesOf(range(3, "s"))),
    );
    spool.fail();
    await turn();
    void keep(["m"]);
    await turn();
    expect(last().requests).toEqual(["m"]);
    await commit();
    // It is asked again without any traffic.
    vi.advanceTimersByTime(1001);
    await spooled();
    await settle();
    expect(kept()).toEqual(["m", ...range(3, "s")]);
    expect(spool.lines).toEqual([]);
  });

  test("that can neither be read nor recorded hold nobody up, and are told of", async () => {
    const spool = new ManualSpool([
      { position: 1, entry: null },
      { position: 2, entry: entry("bad") },
      { position: 3, entry: entry("good") },
      { position: 4, entry: null },
    ]);
    const { queue, spooled, last, turn, log, keep, settle } = newQueue(spool);
    await spooled();
    expect(last().requests).toEqual(["bad", "good"]);
    queue.recorded({ outcomes: [], failures: [{ at: 0, message: "no such website" }] });
    await turn();
    await spooled();
    expect(spool.lines).toEqual([]);
    expect(log).toEqual([
      { event: "spool_line_unreadable", position: 1 },
      { event: "spool_line_unreadable", position: 4 },
      { event: "journal_entry_failed", kind: "blocked", failure: "no such website" },
      { event: "spool_empty" },
    ]);
    const next = keep(["next"]);
    await turn();
    await settle();
    expect(await Promise.all(next)).toEqual(["committed"]);
  });

  test("are removed from the spool after their commit and never before, and come again in their place", async () => {
    const { spool, spooled, commit, refuse, kept, batches } = newQueue(
      new ManualSpool(linesOf(range(700, "s"))),
    );
    await spooled();
    await refuse();
    await spooled();
    expect(spool.lines).toHaveLength(700);
    vi.advanceTimersByTime(250);
    await commit();
    expect(batches.map(({ requests }) => requests.length)).toEqual([500, 0, 500]);
    await spooled();
    expect(spool.lines).toHaveLength(700);
    await commit();
    await spooled();
    expect(spool.lines).toHaveLength(200);
    await commit();
    await spooled();
    expect(kept()).toEqual([...range(500, "s"), ...range(700, "s")]);
    expect(spool.lines).toEqual([]);
  });
});

describe("a queue that closes", () => {
  test("over a storage that refuses leaves everything in the spool and is drained", async () => {
    const { queue, spool, turn, refuse, spooled, keep } = newQueue();
    const told = keep(["a", "b"]);
    await turn();
    let isDrained = false;
    const drained = queue.drain().then(() => {
      isDrained = true;
    });
    await refuse();
    expect(isDrained).toBe(false);
    await spooled();
    await drained;
    expect(spool.lines).toHaveLength(2);
    expect(await Promise.all(told)).toEqual(["pending", "pending"]);
    expect(queue.abandon(new Error("over"))).toBe(0);
  });

  test("over a storage that works empties the spool first", async () => {
    const { queue, spool, spooled, settle } = newQueue(new ManualSpool(linesOf(range(1200, "s"))));
    await spooled();
    let isDrained = false;
    const drained = queue.drain().then(() => {
      isDrained = true;
    });
    await spooled();
    expect(isDrained).toBe(false);
    await settle();
    await drained;
    expect(spool.lines).toEqual([]);
  });

  test("and cannot wait loses what is in memory alone, and writes nothing any more", async () => {
    const { queue, spool, spooled, turn, commit, keep, batches } = newQueue(
      new ManualSpool(linesOf(range(900, "s"))),
    );
    await spooled();
    const told = keep(["m"], 5000);
    void queue.drain();
    expect(queue.abandon(new Error("over"))).toBe(1);
    vi.advanceTimersByTime(1);
    await expect(told[0]).rejects.toThrow("over");
    const sent = batches.length;
    await commit();
    await turn();
    vi.advanceTimersByTime(5000);
    await spooled();
    expect(batches).toHaveLength(sent);
    expect(spool.lines).toHaveLength(900);
  });
});
