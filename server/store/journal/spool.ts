import type { BlockedEntry } from "../../core/journal-entry.ts";

/** Of an entry that cannot be read any more there is its place alone. */
export type SpooledLine = { position: number; entry: BlockedEntry | null };

/**
 * Where kept entries wait on this machine's own disk while the storage is gone for longer than memory should hold
 * them: one line each, in the order in which they were added. Every promise rejects when that disk refuses.
 */
export type Spool = {
  /** What it held when it was opened: all lines above `forgotten`, the last of them `last`; equal: none. */
  readonly opened: { forgotten: number; last: number };
  /** Adds lines behind all others and resolves with the last one's position, when they outlive the machine. Of a call that rejects there is none. */
  add(entries: readonly BlockedEntry[]): Promise<number>;
  /** The first `most` lines above a position, and up to which position there are no others. */
  read(after: number, most: number): Promise<{ lines: readonly SpooledLine[]; upTo: number }>;
  /** Removes the lines up to a position. */
  forget(upTo: number): Promise<void>;
};
