import { describe, expect, test, vi } from "vitest";
import type { JournalOutcome } from "../../core/journal-entry.ts";
import { StorageUnavailable } from "../../core/storage-unavailable.ts";
import { blocked, hop, visitOf } from "../conformance/journal-for-tests.ts";
import { entriesOf } from "./entry-text.ts";
import { JournalQueue } from "./journal-queue.ts";

/** A queue whose batches are answered by the test. */
const newQueue = () => {
  const batches: string[][] = [];
  let keptOfLast = 0;
  const log: object[] = [];
  const lockWaits: number[] = [];
  const queue = new JournalQueue(
    (entries, kept, lockWaitMs) => {
      lockWaits.push(lockWaitMs);
      batches.push(entriesOf(entries).map((entry) => ("visit" in entry ? nameOf(entry.visit.request) : "")));
      keptOfLast = kept;
    },
    (event) => log.push(event),
  );
  const recordLast = () =>
    queue.recorded({ outcomes: (batches.at(-1) ?? []).slice(keptOfLast).map(() => recorded), failures: [] });
  /** Until the entries of this turn of the event loop have been sent. */
  const sent = () => new Promise(setImmediate);
  return { queue, batches, lockWaits, log, recordLast, sent };
};

const recorded: JournalOutcome = { eventId: null, refusal: null, billedMicros: null };
const nameOf = (request: string) => request.replace(/_+$/, "");
const busy = { code: "SQLITE_BUSY", retryAfterSeconds: 1 };
const full = { code: "SQLITE_FULL", retryAfterSeconds: 5 };
const click = (request: string) => hop(visitOf(request), 1);
const entry = (request: string) => blocked(visitOf(request));
const range = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`);

describe("batches", () => {
  test("one turn of the event loop is one batch, and the next holds all that came meanwhile", async () => {
    const { queue, batches, recordLast, sent } = newQueue();
    const first = [queue.append(entry("a")), queue.append(entry("b")), queue.keep(entry("c"), 5000)];
    expect(batches).toEqual([]);
    await sent();
    expect(batches).toEqual([["c", "a", "b"]]);
    const second = [queue.append(entry("d"))];
    await sent();
    second.push(queue.append(entry("e")));
    await sent();
    expect(batches).toHaveLength(1);
    recordLast();
    expect(batches).toEqual([
      ["c", "a", "b"],
      ["d", "e"],
    ]);
    recordLast();
    await Promise.all([...first, ...second]);
    await sent();
    expect(batches).toHaveLength(2);
  });

  test("a batch holds 500 entries, of which kept ones take no more than half when others wait", async () => {
    const { queue, batches, recordLast, sent } = newQueue();
    for (const request of range(600, "kept")) void queue.keep(entry(request), 5000);
    const appends = range(700, "appended").map((request) => queue.append(entry(request)));
    await sent();
    for (let round = 0; round < 3; round++) recordLast();
    const shares = batches.map((batch) => [
      batch.filter((request) => request.startsWith("kept")).length,
      batch.filter((request) => request.startsWith("appended")).length,
    ]);
    expect(shares).toEqual([
      [250, 250],
      [250, 250],
      [100, 200],
    ]);
    expect(await Promise.all(appends)).toHaveLength(700);
    expect(new Set(batches.flat()).size).toBe(1300);
  });

  test("what refers to a visit takes it along, however many wait before it", async () => {
    const { queue, batches, recordLast, sent } = newQueue();
    void queue.append(entry("first"));
    await sent();
    for (const request of range(600, "kept")) void queue.keep(entry(request), 5000);
    void queue.append(click("kept555"));
    recordLast();
    expect(batches[1]?.slice(-3)).toEqual(["kept498", "kept555", "kept555"]);
    recordLast();
    expect(batches[2]).toEqual([...range(600, "kept").slice(499, 555), ...range(600, "kept").slice(556)]);
  });

  test("an entry that failed rejects alone, and is in the log", async () => {
    const { queue, log, sent } = newQueue();
    const [good, bad] = [queue.append(entry("a")), queue.append(entry("b"))];
    const rejected = expect(bad).rejects.toThrow("could not be recorded: no such column");
    await sent();
    queue.recorded({ outcomes: [recorded, null], failures: [{ at: 1, message: "no such column" }] });
    await expect(good).resolves.toMatchObject({ refusal: null });
    await rejected;
    await expect(bad).rejects.not.toBeInstanceOf(StorageUnavailable);
    expect(log).toEqual([{ event: "journal_entry_failed", kind: "blocked", failure: "no such column" }]);
  });

  test("an entry that failed is not counted as committed, though it was to be kept", async () => {
    const { queue, sent } = newQueue();
    const [bad, good] = [queue.keep(entry("a"), 5000), queue.keep(entry("b"), 5000)];
    const rejected = expect(bad).rejects.toThrow("could not be recorded");
    await sent();
    queue.recorded({ outcomes: [], failures: [{ at: 0, message: "no such column" }] });
    await expect(good).resolves.toBe("committed");
    await rejected;
    expect(queue.committedEvents()).toEqual([{ type: "blocked", outcome: "counted", events: 1 }]);
  });
});

describe("a refused batch", () => {
  test("rejects it and what waits behind it, but kept entries come again until they are recorded", async () => {
    const { queue, batches, recordLast, sent, log } = newQueue();
    const appended = queue.append(entry("a"));
    const kept = queue.keep(entry("k"), 5000);
    await sent();
    const behind = queue.append(entry("b"));
    queue.refused(busy);
    await expect(appended).rejects.toMatchObject({ name: "StorageUnavailable", retryAfterSeconds: 1 });
    await expect(behind).rejects.toBeInstanceOf(StorageUnavailable);
    expect(queue.isRefusing()).toBe(true);
    await expect.poll(() => batches).toEqual([["k", "a"], ["k"]]);
    queue.refused(busy);
    await expect.poll(() => batches).toHaveLength(3);
    recordLast();
    await expect(kept).resolves.toBe("committed");
    expect(queue.isRefusing()).toBe(false);
    expect(log.map((event) => Object.entries(event)[0]?.[1])).toEqual([
      "journal_refused",
      "journal_recovered",
    ]);
  });

  test("comes again with its click hops alone, in their order and before what is new, where somebody holds a lock", async () => {
    const { queue, batches, recordLast, sent } = newQueue();
    const written = queue.append(entry("a")).catch((error: unknown) => error);
    const clicks = [queue.append(click("c1"))];
    await sent();
    clicks.push(queue.append(click("c2")));
    const behind = queue.append(entry("b")).catch((error: unknown) => error);
    queue.refused(busy);
    clicks.push(queue.append(click("c3")));
    expect(await written).toBeInstanceOf(StorageUnavailable);
    expect(await behind).toBeInstanceOf(StorageUnavailable);
    await sent();
    expect(batches).toEqual([
      ["a", "c1"],
      ["c1", "c2", "c3"],
    ]);
    recordLast();
    expect(await Promise.all(clicks)).toHaveLength(3);
  });

  test("is not waited for by a click hop where the disk is full, or the journal is closing", async () => {
    const { queue, sent } = newQueue();
    const onFullDisk = queue.append(click("c1"));
    await sent();
    queue.refused(full);
    await expect(onFullDisk).rejects.toMatchObject({ retryAfterSeconds: 5 });
    const atTheEnd = queue.append(click("c2"));
    await sent();
    const drained = queue.drain();
    queue.refused(busy);
    await expect(atTheEnd).rejects.toBeInstanceOf(StorageUnavailable);
    await drained;
  });

  test("is not waited for by a click hop beyond three seconds", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    try {
      const { queue, batches, lockWaits, sent } = newQueue();
      const given = queue.append(click("c1")).catch((error: unknown) => error);
      for (const passed of [1000, 1000, 500, 499]) {
        await sent();
        vi.advanceTimersByTime(passed);
        queue.refused(busy);
      }
      await sent();
      expect(batches).toEqual(Array(5).fill(["c1"]));
      expect(lockWaits.map(Math.round)).toEqual([1000, 1000, 1000, 500, 1]);
      vi.advanceTimersByTime(1);
      queue.refused(busy);
      expect(await given).toBeInstanceOf(StorageUnavailable);
    } finally {
      vi.useRealTimers();
    }
  });

  test("has the storage tried again once in a quarter of a second, however many were refused", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const { queue, batches, sent } = newQueue();
      void queue.keep(entry("k"), 5000);
      await sent();
      for (let round = 0; round < 20; round++) {
        queue.refused(full);
        queue.append(entry("a")).catch(() => undefined);
        await sent();
      }
      const before = batches.length;
      for (let ms = 0; ms < 1000; ms += 50) {
        queue.refused(full);
        vi.advanceTimersByTime(50);
      }
      expect(batches.length - before).toBe(4);
    } finally {
      vi.useRealTimers();
    }
  });

  test("is followed by an empty one, to find out whether the storage is back", async () => {
    const { queue, batches, recordLast, sent } = newQueue();
    const appended = queue.append(entry("a"));
    await sent();
    queue.refused(busy);
    await expect(appended).rejects.toBeInstanceOf(StorageUnavailable);
    await expect.poll(() => batches).toEqual([["a"], []]);
    recordLast();
    expect(queue.isRefusing()).toBe(false);
  });
});

describe("waiting", () => {
  test("counts every entry that is not committed, the batch under way among them", async () => {
    const { queue, recordLast, sent } = newQueue();
    void queue.append(entry("a"));
    void queue.keep(entry("k"), 5000);
    expect(queue.waiting()).toBe(2);
    await sent();
    void queue.append(entry("b"));
    expect(queue.waiting()).toBe(3);
    recordLast();
    expect(queue.waiting()).toBe(1);
    recordLast();
    expect(queue.waiting()).toBe(0);
  });

  /** Time passes as the test says, by the millisecond. */
  const inHeldTime = async (run: (pass: (ms: number) => Promise<void>) => Promise<void>): Promise<void> => {
    vi.useFakeTimers({ toFake: ["performance", "setTimeout"] });
    try {
      await run(async (ms) => {
        await vi.advanceTimersByTimeAsync(ms);
        // Whose time is up is told a turn later.
        await new Promise(setImmediate);
      });
    } finally {
      vi.useRealTimers();
    }
  };
  /** What has become of them so far, in the order in which it did. */
  const endsOf = (waiting: Readonly<Record<string, Promise<unknown>>>): string[] => {
    const ends: string[] = [];
    for (const [name, end] of Object.entries(waiting)) {
      void end.then(
        (outcome) => ends.push(`${name} ${typeof outcome === "string" ? outcome : "recorded"}`),
        (error) => ends.push(`${name} ${error instanceof StorageUnavailable ? "refused" : error}`),
      );
    }
    return ends;
  };

  test("kept entries whose time is up tell so one after the other, each in its own time", () =>
    inHeldTime(async (pass) => {
      const { queue, sent, recordLast } = newQueue();
      const keep = (waitMs: number) => queue.keep(entry(`k${waitMs}`), waitMs);
      const ends = endsOf({ first: keep(20), second: keep(40), third: keep(60) });
      await pass(19);
      expect(ends).toEqual([]);
      await pass(1);
      expect(ends).toEqual(["first pending"]);
      await pass(19);
      expect(ends).toEqual(["first pending"]);
      await pass(1);
      expect(ends).toEqual(["first pending", "second pending"]);
      await pass(20);
      expect(ends).toEqual(["first pending", "second pending", "third pending"]);
      const late = queue.keep(entry("late"), 5000);
      await sent();
      recordLast();
      recordLast();
      await expect(late).resolves.toBe("committed");
    }));

  test("a kept entry tells in time that it is pending, and is recorded later", () =>
    inHeldTime(async (pass) => {
      const { queue, batches, recordLast, sent } = newQueue();
      const ends = endsOf({ kept: queue.keep(entry("k"), 60) });
      await pass(59);
      expect(ends).toEqual([]);
      await pass(1);
      expect(ends).toEqual(["kept pending"]);
      expect(batches).toEqual([["k"]]);
      recordLast();
      await sent();
      expect(batches).toEqual([["k"]]);
    }));

  test("an entry that has waited a second behind a batch is refused, a later one goes with the next", () =>
    inHeldTime(async (pass) => {
      const { queue, batches, recordLast, sent } = newQueue();
      const underway = queue.append(entry("underway"));
      await sent();
      const early = queue.append(entry("early"));
      await pass(501);
      const late = queue.append(entry("late"));
      const ends = endsOf({ early, late });
      await pass(498);
      expect(ends).toEqual([]);
      await pass(1);
      expect(ends).toEqual(["early refused"]);
      recordLast();
      await expect(underway).resolves.toBeDefined();
      expect(batches).toEqual([["underway"], ["late"]]);
      recordLast();
      await expect(late).resolves.toBeDefined();
    }));

  test("behind a batch a click hop waits for three seconds, and holds up nobody's refusal after one", () =>
    inHeldTime(async (pass) => {
      const { queue, sent, batches, recordLast } = newQueue();
      const underway = queue.append(entry("underway"));
      await sent();
      const ends = endsOf({ underway, clicked: queue.append(click("c")), written: queue.append(entry("w")) });
      await pass(999);
      expect(ends).toEqual([]);
      await pass(1);
      expect(ends).toEqual(["written refused"]);
      await pass(1999);
      expect(ends).toEqual(["written refused"]);
      await pass(1);
      expect(ends.toSorted()).toEqual(["clicked refused", "underway refused", "written refused"]);
      recordLast();
      expect(batches).toEqual([["underway"]]);
    }));

  test("whoever is in a batch that hangs is let go after three seconds, whatever becomes of it", async () => {
    vi.useFakeTimers({ toFake: ["performance", "setTimeout"] });
    try {
      const { queue, batches, recordLast, sent } = newQueue();
      const ends = ["c", "w"].map((name) => {
        const given = queue.append(name === "c" ? click(name) : entry(name));
        return given.catch((error: unknown) => error);
      });
      await sent();
      let gone = 0;
      for (const end of ends) void end.then(() => (gone += 1));
      await vi.advanceTimersByTimeAsync(2999);
      expect(gone).toBe(0);
      await vi.advanceTimersByTimeAsync(6);
      for (const end of ends) expect(await end).toBeInstanceOf(StorageUnavailable);
      expect(queue.waiting()).toBe(2);
      recordLast();
      expect(queue.waiting()).toBe(0);
      const next = queue.append(entry("next"));
      await sent();
      expect(batches).toEqual([["c", "w"], ["next"]]);
      recordLast();
      await expect(next).resolves.toBeDefined();
    } finally {
      vi.useRealTimers();
    }
  });

  test("a full queue turns away, and says so beforehand", async () => {
    const { queue, recordLast, batches, sent } = newQueue();
    const appends = [queue.append(entry("underway"))];
    await sent();
    for (const request of range(10_000, "r")) {
      expect(queue.isFull()).toBe(false);
      appends.push(queue.append(entry(request)));
    }
    expect(queue.isFull()).toBe(true);
    await expect(queue.append(entry("too-many"))).rejects.toBeInstanceOf(StorageUnavailable);
    // A visitor's verdict is not turned away for that.
    const kept = queue.keep(entry("kept"), 5000);
    while (batches.flat().length < 10_002) recordLast();
    recordLast();
    expect(await Promise.all(appends)).toHaveLength(10_001);
    await expect(kept).resolves.toBe("committed");
    expect(queue.isFull()).toBe(false);
  });

  test("no more than 50,000 entries are kept", async () => {
    const { queue } = newQueue();
    for (const request of range(50_000, "k")) void queue.keep(entry(request), 5000).catch(() => undefined);
    expect(queue.isFull()).toBe(true);
    await expect(queue.keep(entry("too-many"), 5000)).rejects.toBeInstanceOf(StorageUnavailable);
    expect(queue.abandon(new StorageUnavailable("the test is over", 1))).toBe(50_000);
  });
});
