import { createBuckets } from "../../core/buckets.ts";
import type { BlockedEntry, JournalEntry, JournalOutcome } from "../../core/journal-entry.ts";
import type { Log } from "../../core/log-events.ts";
import { StorageUnavailable } from "../../core/storage-unavailable.ts";
import { AppendedEntries, type AppendedEntry, lockWaitOf } from "./appended-entries.ts";
import { entriesText } from "./entry-text.ts";
import type {
  CommittedEvents,
  Journal,
  JournalReading,
  QueueReading,
  StorageTrouble,
  Written,
} from "./journal.ts";
import { createJournalMeter, type JournalMeter } from "./journal-meter.ts";
import { type Kept, KeptEntries, type KeptEntry } from "./kept-entries.ts";
import { SpillingEntries } from "./spilling-entries.ts";
import type { Spool } from "./spool.ts";

/** Most entries of one commit: above this an fsync is shared by enough, and the first ones wait for the last. */
const batchMost = 500;
/** Most kept entries in memory: some seconds of blocked visits at full load, in some 40 MB. */
const keptMost = 50_000;
/** How long after a refusal the storage is tried again, unless an entry comes earlier. */
const retryMs = 250;
/** A good disk commits within two milliseconds; nobody waits longer than three seconds. */
const commitBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
const entriesBounds = [1, 2, 5, 10, 20, 50, 100, 200, 500];

/**
 * Gets the text of a batch's entries (entry-text.ts), how many of its first ones are kept entries, and for how many
 * milliseconds at the most it may wait for another process's lock.
 */
type Send = (entries: string, kept: number, lockWaitMs: number) => void;

type Batch = { kept: KeptEntry[]; appended: AppendedEntry[] };

/**
 * The main thread's half of the journal: gathers entries while one batch is under way, and sends what has come
 * together as the next one. So a slow disk makes the batches bigger instead of the queue longer.
 */
export class JournalQueue implements Journal {
  readonly #send: Send;
  readonly #log: Log;
  readonly #drained = Promise.withResolvers<void>();
  readonly #appended = new AppendedEntries();
  #kept: Kept = new KeptEntries();
  readonly #meter: JournalMeter;
  readonly #commitSeconds = createBuckets(commitBounds);
  readonly #commitEntries = createBuckets(entriesBounds);
  #sentAt = 0;
  #underway: Batch | null = null;
  #isScheduled = false;
  #other: JournalQueue | null = null;
  #isRefusing = false;
  #retry: NodeJS.Timeout | null = null;
  #isClosed = false;

  /** The answer to what is sent comes by `recorded` or `refused`. Several queues may count on one meter. */
  constructor(send: Send, log: Log, meter = createJournalMeter(() => performance.now() / 1000)) {
    this.#send = send;
    this.#log = log;
    this.#meter = meter;
  }

  /**
   * From now on kept entries wait in a spool while the storage is gone, and what it holds is recorded. To be called once
   * the storage is open, and before the first entry.
   */
  useSpool(spool: Spool): void {
    this.#kept = new SpillingEntries(spool, this.#log, () => {
      if (this.#underway === null) this.#next();
    });
  }

  /** From now on what is kept here waits in another queue once a batch is refused: that one may have a spool. */
  leaveKeptTo(other: JournalQueue): void {
    this.#other = other;
  }

  append(entry: JournalEntry): Promise<JournalOutcome> {
    if (this.#isClosed || this.#appended.isFull()) return Promise.reject(this.#turnedAway());
    this.#schedule();
    return this.#appended.add(entry);
  }

  keep(entry: BlockedEntry, waitMs: number): Promise<"committed" | "pending"> {
    if (this.#isClosed || this.#kept.waiting >= keptMost) return Promise.reject(this.#turnedAway());
    this.#schedule();
    return this.#kept.add(entry, waitMs);
  }

  isFull(): boolean {
    return this.#isClosed || this.#appended.isFull() || this.#kept.waiting >= keptMost;
  }

  waiting(): number {
    return this.#appended.waiting + this.#kept.left + this.#underwayCount();
  }

  inMemory(): number {
    return this.#appended.waiting + this.#kept.waiting + this.#underwayCount();
  }

  /** What was committed within the last minute. */
  reading(): JournalReading {
    return this.#meter.read();
  }

  /** What was committed since the beginning. */
  committedEvents(): CommittedEvents[] {
    return this.#meter.committedEvents();
  }

  /** How it fares; two queues of one journal have names. */
  readQueue(lane: QueueReading["lane"] = "all"): QueueReading {
    return {
      lane,
      waiting: this.waiting(),
      oldestMs: this.#oldestMs(),
      isRefusing: this.#isRefusing,
      spooled: this.#kept.spooled,
      commitSeconds: this.#commitSeconds.read(),
      commitEntries: this.#commitEntries.read(),
    };
  }

  /** Whether the last batch was refused. */
  isRefusing(): boolean {
    return this.#isRefusing;
  }

  /** The batch that was sent is committed; what became of its entries. */
  recorded({ outcomes, failures }: Written): void {
    const done = this.#underway ?? { kept: [], appended: [] };
    this.#underway = null;
    if (this.#isRefusing) this.#log({ event: "journal_recovered", waiting: this.#kept.left });
    this.#isRefusing = false;
    this.#kept.recovered();
    const ms = performance.now() - this.#sentAt;
    this.#meter.committed(ms);
    const entries = done.kept.length + done.appended.length;
    // An empty commit finds out whether there is a storage, and costs nobody anything.
    if (entries > 0) {
      this.#commitSeconds.add(ms / 1000);
      this.#commitEntries.add(entries);
    }
    this.#next();
    for (const { at, message } of failures) {
      const entry = done.kept[at] ?? done.appended[at - done.kept.length];
      if (entry !== undefined) this.#fail(entry, message);
    }
    const failed = new Set(failures.map(({ at }) => at));
    for (const [at, { entry }] of done.kept.entries()) if (!failed.has(at)) this.#meter.noted(entry, null);
    for (const [at, outcome] of outcomes.entries()) {
      const appended = done.appended[at];
      if (outcome !== null && appended !== undefined) this.#meter.noted(appended.entry, outcome);
    }
    // Settling what has been refused, or let go for being late, changes nothing.
    this.#kept.settle(done.kept);
    for (const [at, outcome] of outcomes.entries()) if (outcome !== null) done.appended[at]?.settle(outcome);
  }

  /**
   * Nothing of the batch that was sent is written. Who waits is told; what is kept is tried again, and so is a click hop
   * while its patience lasts, where the trouble may pass within it.
   */
  refused(trouble: StorageTrouble): void {
    if (!this.#isRefusing) this.#log({ event: "journal_refused", code: trouble.code });
    this.#isRefusing = true;
    this.#appended.refused(this.#underway?.appended ?? [], trouble, { isLast: this.#isClosed });
    this.#kept.putBack(this.#underway?.kept ?? []);
    if (this.#other !== null) this.#other.#adopt(this.#kept.take(Number.POSITIVE_INFINITY));
    this.#underway = null;
    if (this.#appended.isAwaited) this.#schedule();
    // Even without an entry: an empty commit finds out whether the storage is back.
    this.#retry ??= setTimeout(() => {
      this.#retry = null;
      if (this.#isRefusing) this.tryStorage();
    }, retryMs);
    if (this.#isClosed && this.#kept.isSafe()) this.#drained.resolve();
  }

  /** Finds out whether the storage takes a commit, be it an empty one; the batch that is under way does as well. */
  tryStorage(): void {
    this.#flush();
  }

  /**
   * Turns new entries away from now on; resolves when none waits any more. While the storage refuses, those in the spool
   * are left for the next start.
   */
  drain(): Promise<void> {
    this.#isClosed = true;
    if (this.#underway === null) this.#next();
    return this.#drained.promise;
  }

  /** Turns new entries away and rejects whatever still waits; returns how many those were. */
  abandon(error: Error): number {
    const { kept, appended } = this.#underway ?? { kept: [], appended: [] };
    const rest = [...this.#kept.abandon(kept), ...appended, ...this.#appended.take(Number.POSITIVE_INFINITY)];
    this.#underway = null;
    [this.#isClosed, this.#isRefusing] = [true, false];
    for (const { refuse } of rest) refuse(error);
    this.#drained.resolve();
    return rest.length;
  }

  /** Not at once: all that this turn of the event loop still brings goes into the same commit. */
  #schedule(): void {
    if (this.#isScheduled || this.#underway !== null) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      if (this.#underway === null && this.#hasWaiting()) this.#flush();
    });
  }

  #next(): void {
    if (this.#hasWaiting()) this.#flush();
    else if (this.#isClosed && this.#kept.isSafe()) this.#drained.resolve();
  }

  #hasWaiting(): boolean {
    return this.#appended.waiting > 0 || this.#kept.hasNext();
  }

  #flush(): void {
    if (this.#underway !== null) return;
    // Kept entries that have piled up must not hold up those whose callers wait, nor the other way round.
    const kept = this.#kept.take(Math.max(batchMost / 2, batchMost - this.#appended.waiting));
    const appended = this.#appended.take(batchMost - kept.length);
    // What refers to a visit is never written before it, however many wait (decisions.md#visit-before-its-events).
    if (this.#kept.waiting > 0) kept.push(...this.#kept.takeVisits(requestsOf(appended)));
    this.#underway = { kept, appended };
    this.#sentAt = performance.now();
    this.#send(
      entriesText([...kept, ...appended].map(({ entry }) => entry)),
      kept.length,
      lockWaitOf(appended),
    );
  }

  #underwayCount(): number {
    return this.#underway === null ? 0 : this.#underway.kept.length + this.#underway.appended.length;
  }

  #oldestMs(): number {
    const waiting = [this.#underway?.appended[0]?.since, this.#appended.oldest ?? undefined];
    // What comes out of the spool is of another time, which `since` of 0 says.
    const kept = [this.#underway?.kept[0]?.since || undefined, this.#kept.oldest ?? undefined];
    const all = [...waiting, ...kept].filter((since) => since !== undefined);
    return all.length === 0 ? 0 : performance.now() - Math.min(...all);
  }

  #adopt(entries: readonly KeptEntry[]): void {
    if (entries.length === 0) return;
    this.#kept.adopt(entries);
    this.#schedule();
  }

  #fail({ entry, refuse }: KeptEntry | AppendedEntry, failure: string): void {
    this.#log({ event: "journal_entry_failed", kind: entry.kind, failure });
    refuse(new Error(`the entry could not be recorded: ${failure}`));
  }

  #turnedAway(): StorageUnavailable {
    return new StorageUnavailable(
      this.#isClosed ? "the journal is closing" : "too many entries wait already",
      1,
    );
  }
}

const requestsOf = (appended: readonly AppendedEntry[]): string[] =>
  appended.flatMap(({ entry }) => ("visit" in entry ? [entry.visit.request] : []));
