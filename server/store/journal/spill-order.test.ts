import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { BlockedEntry } from "../../core/journal-entry.ts";
import { blocked, visitOf } from "../conformance/journal-for-tests.ts";
import { entriesOf } from "./entry-text.ts";
import { JournalQueue } from "./journal-queue.ts";
import { ManualSpool } from "./spool-for-tests.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

type Step =
  | { does: "keep"; visits: number }
  | { does: "commit" | "refuse" | "commit_unheard" | "spool" | "kill" }
  | { does: "fail_spool"; isDone: boolean }
  | { does: "wait"; ms: number };

const away = { code: "ECONNREFUSED", retryAfterSeconds: 1 };
const turn = () => new Promise(setImmediate);

/** One database and one disk, and the processes that use them one after the other. */
class World {
  /** Requests in the order in which they were first committed. */
  readonly recorded: string[] = [];
  readonly doubled: string[] = [];
  readonly kept: string[] = [];
  readonly safe = new Set<string>();
  readonly #known = new Set<string>();
  #spool = new ManualSpool();
  #queue = this.#start();
  #batch: BlockedEntry[] | null = null;

  async keep(visits: number): Promise<void> {
    for (let visit = 0; visit < visits; visit++) {
      const { visit: of, ...rest } = blocked(visitOf(`r${this.kept.length}`));
      this.kept.push(of.request);
      void this.#queue.keep({ ...rest, visit: of }, 75).catch(() => undefined);
    }
    await turn();
  }

  async commit(): Promise<void> {
    if (this.#batch === null) return;
    this.#write();
    this.#queue.recorded({ outcomes: [], failures: [] });
    await turn();
  }

  /** `isWritten`: the connection is lost after the commit and before its answer. */
  async refuse(isWritten: boolean): Promise<void> {
    if (this.#batch === null) return;
    if (isWritten) this.#write();
    this.#batch = null;
    this.#queue.refused(away);
    await turn();
  }

  async spool(): Promise<boolean> {
    const did = this.#spool.step();
    await turn();
    return did;
  }

  async failSpool(isDone: boolean): Promise<void> {
    this.#spool.fail(isDone);
    await turn();
  }

  async kill(): Promise<void> {
    for (const request of this.#spool.promised) this.safe.add(request);
    this.#batch = null;
    this.#spool = new ManualSpool([...this.#spool.lines]);
    // What the one that was killed would still do reaches nobody.
    this.#queue.abandon(new Error("killed"));
    this.#queue = this.#start();
    await turn();
  }

  async settle(): Promise<void> {
    for (let quiet = 0; quiet < 10; quiet++) {
      vi.advanceTimersByTime(300);
      await turn();
      while (this.#batch !== null || this.#spool.steps > 0) {
        quiet = 0;
        await this.commit();
        await this.spool();
      }
    }
    for (const request of this.#spool.promised) this.safe.add(request);
  }

  get left(): number {
    return this.#queue.waiting() + this.#spool.lines.length;
  }

  #start(): JournalQueue {
    const queue: JournalQueue = new JournalQueue(
      (text) => {
        if (queue === this.#queue) this.#batch = entriesOf(text) as BlockedEntry[];
      },
      () => undefined,
    );
    queue.useSpool(this.#spool);
    return queue;
  }

  #write(): void {
    for (const { visit, isAgain } of this.#batch ?? []) {
      if (!this.#known.has(visit.request)) this.recorded.push(visit.request);
      else if (!isAgain) this.doubled.push(visit.request);
      this.#known.add(visit.request);
    }
    this.#batch = null;
  }
}

const often = {
  keep: fc.integer({ min: 1, max: 1500 }).map((visits): Step => ({ does: "keep", visits })),
  answer: fc.constantFrom<Step>({ does: "commit" }, { does: "refuse" }, { does: "commit_unheard" }),
  spool: fc.constant<Step>({ does: "spool" }),
  wait: fc.integer({ min: 1, max: 2000 }).map((ms): Step => ({ does: "wait", ms })),
};
const orderly = fc.oneof(often.keep, often.answer, often.answer, often.spool, often.spool, often.wait);
const harsh = fc.oneof(
  { weight: 8, arbitrary: orderly },
  { weight: 2, arbitrary: fc.boolean().map((isDone): Step => ({ does: "fail_spool", isDone })) },
  { weight: 1, arbitrary: fc.constant<Step>({ does: "kill" }) },
);

const play = async (steps: readonly Step[]): Promise<World> => {
  const world = new World();
  for (const step of steps) {
    if (step.does === "keep") await world.keep(step.visits);
    else if (step.does === "commit") await world.commit();
    else if (step.does === "spool") await world.spool();
    else if (step.does === "kill") await world.kill();
    else if (step.does === "fail_spool") await world.failSpool(step.isDone);
    else if (step.does === "wait") vi.advanceTimersByTime(step.ms);
    else await world.refuse(step.does === "commit_unheard");
  }
  await world.settle();
  return world;
};

test("whenever the storage is gone and comes back, every visit is recorded once, in the order in which they came", async () => {
  let spilled = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(orderly, { minLength: 5, maxLength: 60 }), async (steps) => {
      const world = await play(steps);
      expect(world.recorded).toEqual(world.kept);
      expect(world.doubled).toEqual([]);
      expect(world.left).toBe(0);
      spilled += world.safe.size;
    }),
    { numRuns: 100 },
  );
  expect(spilled).toBeGreaterThan(5000);
});

test("when processes are killed and the spool's disk refuses as well, nothing is doubled, and what the spool had is not lost", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(harsh, { minLength: 5, maxLength: 60 }), async (steps) => {
      const world = await play(steps);
      // Lines of which the disk did not say whether they are there are left for the next start.
      await world.kill();
      await world.settle();
      const recorded = new Set(world.recorded);
      expect([...world.safe].filter((request) => !recorded.has(request))).toEqual([]);
      expect(world.doubled).toEqual([]);
      expect(world.left).toBe(0);
      if (!steps.some(({ does }) => does === "kill")) expect(recorded.size).toBe(world.kept.length);
      // Only a disk that refused may have let later ones go first.
      if (!steps.some(({ does }) => does === "fail_spool")) {
        expect(world.recorded).toEqual(world.kept.filter((request) => recorded.has(request)));
      }
    }),
    { numRuns: 130 },
  );
});
