import type { BlockedEntry } from "../../core/journal-entry.ts";

export type KeptEntry = {
  entry: BlockedEntry;
  /** The moment, by `performance.now()`, until which its caller waits for the commit. */
  waitsUntil: number;
  /** Only the first call of `tell` or `refuse` is heard. */
  tell(outcome: "committed" | "pending"): void;
  refuse(error: Error): void;
};

/**
 * Entries that are kept until they are committed, though their callers stop waiting earlier. One timer serves all of
 * the callers: there may be thousands, and nearly all are told of the commit long before.
 */
export class KeptEntries {
  #queue: KeptEntry[] = [];
  /** Entries whose callers wait, those of the batch under way among them. */
  readonly #unanswered = new Set<KeptEntry>();
  #isTimerArmed = false;

  /** How many are in no batch yet. */
  get waiting(): number {
    return this.#queue.length;
  }

  /** Queues an entry; tells after at most `waitMs` milliseconds whether it is committed. */
  add(entry: BlockedEntry, waitMs: number): Promise<"committed" | "pending"> {
    return new Promise((tell, refuse) => {
      const kept = { entry, waitsUntil: performance.now() + waitMs, tell, refuse };
      this.#queue.push(kept);
      this.#unanswered.add(kept);
      this.#armTimer(waitMs);
    });
  }

  /** Takes the oldest ones for a batch, `most` at the most. */
  take(most: number): KeptEntry[] {
    return this.#queue.splice(0, most);
  }

  /** A batch that was refused comes again, before all others. */
  putBack(batch: readonly KeptEntry[]): void {
    this.#queue = [...batch, ...this.#queue];
  }

  /** Tells the callers of a batch that it is committed. */
  settle(batch: readonly KeptEntry[]): void {
    for (const kept of batch) {
      this.#unanswered.delete(kept);
      kept.tell("committed");
    }
  }

  #armTimer(inMs: number): void {
    if (this.#isTimerArmed) return;
    this.#isTimerArmed = true;
    setTimeout(() => this.#tellPending(), inMs);
  }

  #tellPending(): void {
    this.#isTimerArmed = false;
    const now = performance.now();
    let next = Number.POSITIVE_INFINITY;
    for (const kept of this.#unanswered) {
      if (kept.waitsUntil <= now) {
        this.#unanswered.delete(kept);
        kept.tell("pending");
      } else next = Math.min(next, kept.waitsUntil);
    }
    if (this.#unanswered.size > 0) this.#armTimer(next - now);
  }
}
