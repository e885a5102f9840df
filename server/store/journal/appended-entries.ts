import type { JournalEntry, JournalOutcome } from "../../core/journal-entry.ts";
import { StorageUnavailable } from "../../core/storage-unavailable.ts";
import type { StorageTrouble } from "./journal.ts";

/** Most entries whose callers wait: a good disk writes these within a fifth of a second. */
const appendedMost = 10_000;
/** How long an entry waits for the batch before it, and a batch for another process's lock. */
const patienceMs = 1000;
/**
 * How long a click hop does: a visitor stands behind it, and an advertiser's money (decisions.md#hop-outlasts-a-lock). So
 * does whatever is in the batch under way, which most likely is about to be committed.
 */
const longPatienceMs = 3000;
/** How long at the least between two looks for those who have waited long enough: each look goes through all of them. */
const sweepMs = 5;

export type AppendedEntry = {
  entry: JournalEntry;
  /** When it came, by `performance.now()`. */
  since: number;
  /** The moment, by `performance.now()`, from which on it is not waited for any more; of sums there is none. */
  waitsUntil: number;
  settle(outcome: JournalOutcome): void;
  refuse(error: Error): void;
};

/**
 * Entries whose callers wait for the commit, and for no longer than their patience lasts. For sums, which are added to what is
 * stored, nobody waits: they stay until they are committed, as they are, since of a batch that nobody knows to be committed only
 * what comes again unchanged is known again.
 */
export class AppendedEntries {
  #queue: AppendedEntry[] = [];
  /** Those of the last batch whose callers are let go when it hangs. To let go of one that is settled already changes nothing. */
  #taken: AppendedEntry[] = [];
  #isSweepArmed = false;

  /** How many are in no batch yet. */
  get waiting(): number {
    return this.#queue.length;
  }

  /** When the oldest one came that is in no batch, by `performance.now()`; null: there is none. */
  get oldest(): number | null {
    return this.#queue[0]?.since ?? null;
  }

  isFull(): boolean {
    return this.#queue.length >= appendedMost;
  }

  /** Whether somebody waits for one that is in no batch yet. */
  get isAwaited(): boolean {
    return this.#queue.some(({ entry }) => !isSum(entry));
  }

  /** Queues an entry; resolves when it is settled, and rejects when it is refused or has waited for too long. */
  add(entry: JournalEntry): Promise<JournalOutcome> {
    return new Promise((settle, refuse) => {
      const since = performance.now();
      const waitsUntil = isSum(entry)
        ? Number.POSITIVE_INFINITY
        : since + (isHop(entry) ? longPatienceMs : patienceMs);
      this.#queue.push({ entry, since, waitsUntil, settle, refuse });
      this.#armSweep(patienceMs);
    });
  }

  /** Takes the oldest ones for a batch, `most` at the most. */
  take(most: number): AppendedEntry[] {
    const batch = this.#queue.splice(0, most);
    this.#taken = batch.filter(({ entry }) => !isSum(entry));
    for (const entry of this.#taken) entry.waitsUntil = entry.since + longPatienceMs;
    return batch;
  }

  /**
   * Tells those of a batch that was refused, and all who wait behind it, that it was. Where another batch is to come, sums
   * wait on, and so does a click hop while its patience lasts, if the trouble may pass within it; before what is new.
   */
  refused(
    batch: readonly AppendedEntry[],
    { code, retryAfterSeconds }: StorageTrouble,
    { isLast }: { isLast: boolean },
  ): void {
    const now = performance.now();
    const mayPass = retryAfterSeconds * 1000 <= longPatienceMs;
    const waitsOn = ({ entry, waitsUntil }: AppendedEntry): boolean =>
      isSum(entry) || (mayPass && isHop(entry) && waitsUntil > now);
    const { over = [], waiting = [] } = Object.groupBy([...batch, ...this.#queue], (one) =>
      !isLast && waitsOn(one) ? "waiting" : "over",
    );
    this.#queue = waiting;
    refuseAll(over, new StorageUnavailable(`the storage refuses to write (${code})`, retryAfterSeconds));
  }

  #armSweep(inMs: number): void {
    if (this.#isSweepArmed) return;
    this.#isSweepArmed = true;
    // A turn later, so that an answer that has arrived already is read first.
    setTimeout(() => setImmediate(() => this.#sweep()), inMs).unref();
  }

  /**
   * A batch that hangs on the disk must make nobody hang as well, neither its own callers nor those behind it. Of its own
   * nobody knows yet whether they will be recorded.
   */
  #sweep(): void {
    this.#isSweepArmed = false;
    const now = performance.now();
    const isOver = ({ waitsUntil }: AppendedEntry): boolean => waitsUntil <= now;
    const all = [...this.#taken, ...this.#queue];
    const waiting = all.filter((entry) => !isOver(entry));
    this.#taken = this.#taken.filter((entry) => !isOver(entry));
    this.#queue = this.#queue.filter((entry) => !isOver(entry));
    refuseAll(all.filter(isOver), new StorageUnavailable("the disk is too slow to record this now", 1));
    // No later than what comes from now on may be due.
    const next = waiting.reduce((least, { waitsUntil }) => Math.min(least, waitsUntil), now + patienceMs);
    if (waiting.length > 0) this.#armSweep(Math.max(sweepMs, next - now));
  }
}

/** A batch waits no longer for a lock than the most patient of its callers does; where nobody waits it may try as long. */
export function lockWaitOf(batch: readonly AppendedEntry[]): number {
  const now = performance.now();
  const waits = batch.map(({ entry, waitsUntil }) => (isHop(entry) ? waitsUntil - now : patienceMs));
  return waits.length === 0 ? patienceMs : Math.min(patienceMs, Math.max(0, ...waits));
}

const isHop = (entry: JournalEntry): boolean => entry.kind === "click_hop";
const isSum = (entry: JournalEntry): boolean => entry.kind === "clicks_refused";

const refuseAll = (waiting: readonly AppendedEntry[], error: Error): void => {
  for (const { refuse } of waiting) refuse(error);
};
