import type { DeclineSession } from "../../core/decline-session.ts";
import type { ReportFilter, ReportFormat } from "../../core/report-filter.ts";
import type { CatalogueChanges, SnapshotChanges } from "../../core/snapshot-changes.ts";
import type { Durability } from "./open-sqlite.ts";

/** What the reader thread is started with. */
export type ReaderOptions = { file: string; durability: Durability };

/** From the main thread; `now` in milliseconds since the epoch. The first poll opens and migrates the file. */
export type ToReader =
  | { kind: "poll"; now: number }
  | { kind: "report"; id: number; filter: ReportFilter; format: ReportFormat }
  | { kind: "find_session"; id: number; sessionId: string }
  | { kind: "close" };

/** From the reader thread: one answer to each poll, after the parts of the catalogue that have changed. */
export type FromReader =
  | { kind: "part"; changes: CatalogueChanges }
  | { kind: "polled"; changes: Omit<SnapshotChanges, "catalogue"> }
  /** Nothing could be read this time; what is known stays. */
  | { kind: "poll_failed"; code: string }
  | { kind: "reported"; id: number; text: Uint8Array<ArrayBuffer> }
  | { kind: "report_failed"; id: number; code: string }
  | { kind: "session_found"; id: number; session: DeclineSession | null }
  | { kind: "session_failed"; id: number; code: string }
  | { kind: "closed" };
