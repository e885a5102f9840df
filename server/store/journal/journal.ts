import type { BucketCounts } from "../../core/buckets.ts";
import type { BlockedEntry, JournalEntry, JournalOutcome } from "../../core/journal-entry.ts";

/** The storage below us refuses: no fault of the entry that was being written, and gone some time later. */
export type StorageTrouble = { code: string; retryAfterSeconds: number };

/** Where every event goes. An outcome means that the entry is on the disk. */
export type Journal = {
  /**
   * Records an entry; resolves after its commit. Rejects with StorageUnavailable when the disk or another
   * process's lock refuses, when it has waited for a second (a click hop: three), or when the queue is full. An entry
   * whose batch is being written waits for three seconds, and may be committed after it was rejected.
   */
  append(entry: JournalEntry): Promise<JournalOutcome>;
  /**
   * Records a blocked visit whose answer does not depend on the disk: tells after at most `waitMs` milliseconds
   * whether it is committed, and tries on until it is. Rejects with StorageUnavailable when so many wait already that
   * one more would not be kept, and with another error when the entry itself cannot be stored.
   */
  keep(entry: BlockedEntry, waitMs: number): Promise<"committed" | "pending">;
  /** Whether an entry would be turned away now: asked before a body is read. */
  isFull(): boolean;
  /** How many entries are not committed yet: those that wait and those of the batch that is being written. */
  waiting(): number;
  /** How many of them wait in memory: those that a spool keeps are no load, however many an outage makes of them. */
  inMemory(): number;
};

/** What became of a batch of which the first entries are kept ones, and the others have callers who wait. */
export type Written = {
  /** Of the entries whose callers wait, in their order; null: that entry failed. Nobody reads what the kept ones end in. */
  outcomes: (JournalOutcome | null)[];
  /** Entries of either sort that could not be recorded through their own fault: their place in the batch, and why. */
  failures: { at: number; message: string }[];
};

/** What this process has committed since it was opened: of each kind of event how many were counted, or why they were not. */
export type CommittedEvents = { type: string; outcome: string; events: number };

/** How one queue of the journal fares. */
export type QueueReading = {
  /** `all` where there is one queue alone. */
  lane: "all" | "money" | "plain";
  /** Entries that are not committed yet. */
  waiting: number;
  /** For how many milliseconds the oldest entry in memory has waited; 0: there is none. */
  oldestMs: number;
  /** Whether the storage refused the last batch. */
  isRefusing: boolean;
  /** Entries that wait in the spool; null: it has none. */
  spooled: number | null;
  /** How many seconds each commit since the start took, from the sending of its batch to the answer. */
  commitSeconds: BucketCounts;
  /** How many entries each of them had. */
  commitEntries: BucketCounts;
};

/** What was committed within the last minute, and how long that took. */
export type JournalReading = {
  events: { type: string; events: number; refused: number }[];
  reasons: { reason: string; events: number }[];
  /** Null: nothing was committed. */
  commit: { commits: number; medianMs: number; worstMs: number } | null;
};
