import type { Kysely } from "kysely";
import type { Actor } from "../../core/actor.ts";
import type { RateChanges } from "../../core/click-rates.ts";
import type { JournalEntry } from "../../core/journal-entry.ts";
import type { PacedSpend } from "../../core/pacing.ts";
import type { Schema } from "../schema.ts";

/** What the catalogue needs: of an engine a database to read and a way to change it in one piece, and whose doing it is. */
export type CatalogueHandle = {
  /** Who makes the changes that go through this handle; for somebody else's, copy it with another. */
  actor: Actor;
  /** Milliseconds since the epoch, for the moment at which a change is noted. */
  clock: () => number;
  db: Kysely<Schema>;
  /**
   * Runs `work` in one transaction; what it throws rolls everything back. While another process holds the write lock,
   * `work` is run again from the beginning without blocking the thread, so it has no effects besides its statements.
   * Rejects with the engine's own error when the lock stays away for seconds.
   */
  transact<T>(work: (db: Kysely<Schema>) => Promise<T>): Promise<T>;
};

/** How many rows of each kind were erased. */
export type Erased = { events: number; sessions: number; pings: number; refusedCalls: number };

/** A catalogue that the command line has opened, with what only its engine can do and tell. */
export type OpenCatalogue = CatalogueHandle & {
  /**
   * By how many milliseconds `clock` is ahead of this machine's, since the database has another time; 0 where it has not to speak
   * of, and of a file.
   */
  clockOffsetMs: number;
  /**
   * Copies everything to `file` as it is at one moment; or says what is wrong with that file. Null: the engine has programs of
   * its own for that.
   */
  backUp:
    | ((file: string) => Promise<{ ok: true; file: string; bytes: number } | { ok: false; message: string }>)
    | null;
  /**
   * The numbers of the offers that have less left at `now` (milliseconds since the epoch) than one of their events costs, and
   * how far those have come whose budget is spread over the day.
   */
  budgets(now: number): Promise<{ exhausted: readonly number[]; paced: readonly PacedSpend[] }>;
  /** All that was counted for click rates; null: nothing yet. */
  rateCounts(now: number): Promise<RateChanges | null>;
  /**
   * Erases what is stored of visits, a little at a time, and tells how many rows went: of one request by its key, or what
   * a website's visits had left when it began. What it added to reports, balances and statements stays.
   */
  erase: {
    request(request: string): Promise<Erased>;
    website(websiteId: number): Promise<Erased>;
  };
  /**
   * Records entries as the journal of a service does, by the time that each carries: all of them in one transaction, or none.
   * Resolves when they are committed, and may block its thread until then. Rejects with the engine's error, or that of an
   * entry which cannot be recorded.
   */
  record(entries: readonly JournalEntry[]): Promise<void>;
  /**
   * What the storage suffers from when an error says so, whether it is another program's lock, and whether a change was being
   * committed, of which nobody knows then what became of it; else null.
   */
  troubleOf(error: unknown): { code: string; isLocked: boolean; isCommitUnknown: boolean } | null;
  /** The same with the whole seconds after which trying again has a chance. */
  storageTroubleOf(error: unknown): { code: string; retryAfterSeconds: number } | null;
  close(): Promise<void>;
};
