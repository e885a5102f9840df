import type { RanOut } from "../core/budget.ts";
import type { DatabaseMeasures } from "../core/database-measures.ts";
import type { DeclineSession } from "../core/decline-session.ts";
import type { Log } from "../core/log-events.ts";
import type { AccessToken } from "../core/oauth.ts";
import type { ReportFilter, ReportFormat } from "../core/report-filter.ts";
import type { AskedRequest, RequestStory } from "../core/request-story.ts";
import type { SharedWindows } from "../core/shared-windows.ts";
import type { SnapshotChanges } from "../core/snapshot-changes.ts";
import type { NamedThread } from "../core/thread-usage.ts";
import type { CommittedEvents, Journal, JournalReading, QueueReading } from "./journal/journal.ts";
import type { StoreVitals } from "./store.ts";

/** What the store is made of on any engine: somebody who reads and somebody who writes, neither on the main thread. */
export type Engine = {
  reader: Reader;
  writer: Writer;
  /** Null: no other node shares the database. */
  windows: (SharedWindows & { open(): Promise<void>; close(): Promise<void> }) | null;
  /** How full the disk is on which this machine writes: the database, or where that is a server, the spool. */
  disk(): Promise<StoreVitals["disk"]>;
};

/** What an engine is started with. */
export type EngineOptions = {
  /** For how many days events are kept one by one; null: for ever. */
  eventsKeptDays: number | null;
  log: Log;
  /** Hears of offers that a batch has used up, before its entries are answered. */
  onExhausted: (offers: readonly RanOut[]) => void;
  /** Called once when a part of it has died; what is under way rejects. */
  onDeath: (error: Error) => void;
};

/** What a poll brings: what has changed, and how the clocks stand. */
export type Polled = SnapshotChanges & {
  /** How many milliseconds the database's clock is ahead of this process's; 0 where it is the same one. */
  clockOffsetMs: number;
};

export type Reader = {
  /**
   * What has changed since the last poll, at `now` (milliseconds since the epoch); null when nothing could be read. The
   * first one opens the database and brings it to this program's schema.
   */
  poll(now: number): Promise<Polled | null>;
  /**
   * Resolves with the text of a report, or says that it would have more rows than its filter's `mostRows`; null when so many
   * wait that one more would only make all of them late.
   */
  report(filter: ReportFilter, format: ReportFormat): Promise<Uint8Array | "too_many_rows" | null>;
  /** Resolves with what is stored of a request, or null of none; it waits with the reports, and null alone means as theirs. */
  explain(asked: AskedRequest): Promise<{ story: RequestStory | null } | null>;
  /** Resolves with a decline session; rejects when it cannot be read, or so many are asked for that it would be late. */
  findSession(sessionId: string): Promise<DeclineSession | null>;
  /** Whether anybody can sign in, or could once they have chosen a password. */
  hasUsers(): Promise<boolean>;
  /** Resolves with an access token by its hash; rejects as `findSession` does. */
  findAccessToken(idHash: string): Promise<AccessToken | null>;
  /** Keeps the chunks of this release; rejects when they cannot be written. */
  putChunks(chunks: ReadonlyMap<string, Uint8Array>, now: number): Promise<void>;
  /** Resolves with a chunk, gzipped, by its name; rejects as `findSession` does. */
  findChunk(name: string): Promise<Uint8Array | null>;
  /** Resolves with what only the database knows, at `now`; rejects as `findSession` does. */
  measure(now: number): Promise<DatabaseMeasures>;
  threads(): NamedThread[];
  close(): Promise<void>;
};

export type Writer = {
  journal: Journal;
  /** Opens the database, which has its schema by now; to be called before anything is recorded. */
  open(): Promise<void>;
  /** Whether the storage refused the last batch. */
  isRefusing(): boolean;
  /** What was committed within the last minute. */
  reading(): JournalReading;
  /** How each of its queues fares. */
  queues(): QueueReading[];
  /** What was committed since it was opened. */
  committedEvents(): CommittedEvents[];
  threads(): NamedThread[];
  /** What an operator should look after, although it can be written. */
  warnings(): readonly string[];
  /** Turns new entries away at once, and commits whatever waits, for at most some seconds. */
  drain(): Promise<void>;
  /** Leaves the database in order and ends. */
  close(): Promise<void>;
};
