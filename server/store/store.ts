import type { StoredApiKey } from "../core/api-key.ts";
import type { LearntRates } from "../core/click-rates.ts";
import type { Catalogue } from "../core/compiled-catalogue.ts";
import type { DatabaseMeasures } from "../core/database-measures.ts";
import type { DeclineSession } from "../core/decline-session.ts";
import type { StoredSecret } from "../core/integration-secret.ts";
import type { DismissedEntry, RefusedClick } from "../core/journal-entry.ts";
import type { AccessToken } from "../core/oauth.ts";
import type { PacedSpend } from "../core/pacing.ts";
import type { RefusedCall } from "../core/refused-call.ts";
import type { ReportFilter, ReportFormat } from "../core/report-filter.ts";
import type { AskedRequest, RequestStory } from "../core/request-story.ts";
import type { SharedWindows } from "../core/shared-windows.ts";
import type { NamedThread } from "../core/thread-usage.ts";
import type { SaltKey } from "../core/visitor-hash.ts";
import type { CommittedEvents, Journal, JournalReading, QueueReading } from "./journal/journal.ts";

/** How the store of one process fares. */
export type StoreVitals = JournalReading & {
  /** Entries that are not committed yet. */
  waiting: number;
  /** Whether the storage refused the last batch. */
  isRefusing: boolean;
  /** Milliseconds since the catalogue and the budgets were last read. */
  snapshotAgeMs: number;
  /** Of this machine; null where the system does not say. `databaseBytes`: null where the database is a server. */
  disk: { freeBytes: number; totalBytes: number; databaseBytes: number | null } | null;
};

/** What the store of one process has counted, and what waits in it, read without waiting for anything. */
export type StoreCounts = Pick<StoreVitals, "snapshotAgeMs"> & {
  queues: QueueReading[];
  /** Since it was opened. */
  committed: CommittedEvents[];
  /** Offers that have nothing left for one more event. */
  exhaustedOffers: number;
  /** How many processes share the database and are known to this one, itself included. */
  nodes: number;
};

/**
 * Everything a request may ask of the store. What returns a value is answered from this process's memory. What returns a
 * promise asks another thread, which may wait for the disk or for a lock.
 */
export type Store = {
  /**
   * Milliseconds since the epoch, by the clock that all who share the database have in common; of a file that is this
   * machine's own. Whatever is recorded goes by it.
   */
  clock(): number;
  /** The newest catalogue that was read; a change by any process is here within a second. */
  catalogue(): Catalogue;
  /** Click rates by the events that were counted until some seconds ago. */
  rates(): LearntRates;
  /** Whether every cap of the offer and its advertiser's balance still hold the price of one event. */
  hasBudget(offer: number): boolean;
  /** How far an offer has come with the day's budget, by what was committed until half a second ago; undefined: it is not spread over the day. */
  pacedSpend(offer: number): PacedSpend | undefined;
  /** Keys of the visitor hashes, by the clock's UTC day. */
  salts(): { today: SaltKey; yesterday: SaltKey };
  journal: Journal;
  /** Where nodes count calls together; null: there is one node alone. */
  sharedWindows: SharedWindows | null;
  /** An API key by its id, unless it is revoked; a change by any process is here within a second. */
  apiKey(id: string): StoredApiKey | undefined;
  /** An integration secret by its hash, unless it is revoked; a change by any process is here within a second. */
  integrationSecret(hash: string): StoredSecret | undefined;
  /**
   * A decline session by its id as it stands on the disk now, whichever process wrote it; null when there is none.
   * Rejects with StorageUnavailable when it cannot be read, or too many are being looked for.
   */
  declineSession(sessionId: string): Promise<DeclineSession | null>;
  /**
   * An access token of a partner by its hash, as it stood on the disk two seconds ago or later; null when there is none,
   * or its connection was ended. Rejects as `declineSession` does.
   */
  accessToken(idHash: string): Promise<AccessToken | null>;
  /** Whether this visitor (a hash of today's) is not to be shown the overlay again today; that of any process within a second. */
  hasDismissed(visitor: string): boolean;
  /** Has a visitor remembered as such; resolves and rejects as the journal's `append` does. */
  dismiss(dismissed: Pick<DismissedEntry, "visitor" | "at">): Promise<void>;
  /** Notes a click that is refused for the number of its calls, at `at` (milliseconds since the epoch). */
  noteRefusedClick(click: RefusedClick, at: number): void;
  /** Notes a call that was refused for its website or with its key, at `at` (milliseconds since the epoch); cheap, and bounded in a flood. */
  noteRefusedCall(refused: RefusedCall, at: number): void;
  /** Notes that a key was let in at `at` (milliseconds since the epoch). */
  noteKeyUse(keyId: string, at: number): void;
  /** Notes that a partner's connection was let in at `at` (milliseconds since the epoch). */
  noteGrantUse(grantId: string, at: number): void;
  /**
   * The text of a report, in UTF-8, unless it would have more rows than its filter's `mostRows`; null when too many are being
   * made already. Rejects with StorageUnavailable when it cannot be read.
   */
  report(filter: ReportFilter, format: ReportFormat): Promise<Uint8Array | "too_many_rows" | null>;
  /**
   * What is stored of a request: its story, or null in its place where nothing is stored. Null instead of all that when too
   * many reports are being made already. Rejects as `report` does.
   */
  explain(asked: AskedRequest): Promise<{ story: RequestStory | null } | null>;
  /** Keeps the chunks of the tag and of the dashboard that this release was built with, gzipped, by their names; rejects when they cannot be written. */
  putChunks(chunks: ReadonlyMap<string, Uint8Array>): Promise<void>;
  /** A chunk of another release, gzipped, by its name; null of none that is kept. Rejects as `declineSession` does. */
  findChunk(name: string): Promise<Uint8Array | null>;
  /** Whether anybody can sign in, or could once they have chosen a password. */
  hasUsers(): Promise<boolean>;
  /** How it fares in this process, for whoever operates it. */
  vitals(): Promise<StoreVitals>;
  /** What it has counted, and how long its queues are. */
  counts(): StoreCounts;
  /** What only the database knows; rejects with StorageUnavailable when it cannot be asked. */
  measure(): Promise<DatabaseMeasures>;
  /** Its threads, the main one left out. */
  threads(): NamedThread[];
  /** Settings by which the storage may lose what it has acknowledged, each as a sentence for the operator. */
  warnings(): readonly string[];
  /** False while the storage refuses to write, and from the beginning of `close` on. */
  isReady(): boolean;
  /** False while this machine's clock is more than half a minute off the database's. */
  isClockBearable(): boolean;
  /** Reads now whatever has changed, without waiting for the next poll. */
  reload(): Promise<void>;
  /** Turns new entries away, commits those that wait, folds the log into the file and ends the threads. */
  close(): Promise<void>;
};
