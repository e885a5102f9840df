import type { BlockedEntry } from "../../core/journal-entry.ts";

export type KeptEntry = {
  entry: BlockedEntry;
  /** The moments, by `performance.now()`, at which it came, and until which its caller waits for the commit. */
  since: number;
  waitsUntil: number;
  /** Only the first call of `tell` or `refuse` is heard. */
  tell(outcome: "committed" | "pending"): void;
  refuse(error: Error): void;
  /** Where it stands in the spool; absent: it waits in memory. */
  position?: number;
};

/** What the queue needs of the place in which kept entries wait. */
export type Kept = {
  /** How many are in memory and in no batch yet. */
  readonly waiting: number;
  /** How many are in no batch yet, wherever they wait. */
  readonly left: number;
  /** Of these, how many wait on a disk; null: there is none for them. */
  readonly spooled: number | null;
  /** When the oldest one came that is in memory and in no batch, by `performance.now()`; null: there is none. */
  readonly oldest: number | null;
  /** Whether a batch would get some of them now. */
  hasNext(): boolean;
  /** Queues an entry; tells after at most `waitMs` milliseconds whether it is committed. */
  add(entry: BlockedEntry, waitMs: number): Promise<"committed" | "pending">;
  /** Takes the oldest ones for a batch, `most` at the most. */
  take(most: number): KeptEntry[];
  /** Takes what waits of these requests as well, behind what the same batch was given by `take`. */
  takeVisits(requests: readonly string[]): KeptEntry[];
  /** Queues entries that another place has kept so far, which tells their callers. */
  adopt(entries: readonly KeptEntry[]): void;
  /** A batch that was refused comes again, before all others. */
  putBack(batch: readonly KeptEntry[]): void;
  /** The storage has taken a batch. */
  recovered(): void;
  /** Tells the callers of a batch that it is committed. */
  settle(batch: readonly KeptEntry[]): void;
  /** Whether what is left, if anything, needs the process no longer. */
  isSafe(): boolean;
  /** Ends it all; returns, of those that wait and of the batch under way, the ones that are kept nowhere else. */
  abandon(underway: readonly KeptEntry[]): KeptEntry[];
};

/**
 * Entries that are kept until they are committed, though their callers stop waiting earlier. One timer serves all of
 * the callers: there may be thousands, and nearly all are told of the commit long before.
 */
export class KeptEntries implements Kept {
  #queue: KeptEntry[] = [];
  /** Entries whose callers wait, those of the batch under way among them. */
  readonly #unanswered = new Set<KeptEntry>();
  #isTimerArmed = false;

  get waiting(): number {
    return this.#queue.length;
  }

  get left(): number {
    return this.#queue.length;
  }

  readonly spooled = null;

  get oldest(): number | null {
    return this.#queue[0]?.since ?? null;
  }

  hasNext(): boolean {
    return this.#queue.length > 0;
  }

  add(entry: BlockedEntry, waitMs: number): Promise<"committed" | "pending"> {
    return new Promise((tell, refuse) => {
      const since = performance.now();
      const kept = { entry, since, waitsUntil: since + waitMs, tell, refuse };
      this.#queue.push(kept);
      this.#unanswered.add(kept);
      this.#armTimer(waitMs);
    });
  }

  take(most: number): KeptEntry[] {
    return this.#queue.splice(0, most);
  }

  takeVisits(requests: readonly string[]): KeptEntry[] {
    const named = new Set(requests);
    const { taken = [], left = [] } = Object.groupBy(this.#queue, ({ entry }) =>
      named.has(entry.visit.request) ? "taken" : "left",
    );
    this.#queue = left;
    return taken;
  }

  adopt(entries: readonly KeptEntry[]): void {
    this.#queue = [...this.#queue, ...entries];
  }

  putBack(batch: readonly KeptEntry[]): void {
    // A connection that is lost at the commit leaves open whether it was one.
    for (const kept of batch) kept.entry = { ...kept.entry, isAgain: true };
    this.#queue = [...batch, ...this.#queue];
  }

  recovered(): void {}

  settle(batch: readonly KeptEntry[], outcome: "committed" | "pending" = "committed"): void {
    for (const kept of batch) {
      this.#unanswered.delete(kept);
      kept.tell(outcome);
    }
  }

  isSafe(): boolean {
    return this.#queue.length === 0;
  }

  abandon(underway: readonly KeptEntry[]): KeptEntry[] {
    return [...underway, ...this.#queue.splice(0)];
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
