import type { OfferId } from "@offers/contract/ids";
import type { StoredApiKey } from "../../core/api-key.ts";
import type { CatalogueRows } from "../../core/catalogue.ts";
import type { DeclineSession } from "../../core/decline-session.ts";
import type { StoredSecret } from "../../core/integration-secret.ts";
import type { ReportFilter } from "../books/report.ts";
import type { ReportFormat } from "../books/report-text.ts";
import type { VisitorSaltTable } from "../schema.ts";
import type { Durability } from "./open-sqlite.ts";

/** What the reader thread is started with. */
export type ReaderOptions = { file: string; durability: Durability };

/** From the main thread; `now` in milliseconds since the epoch. The first poll opens and migrates the file. */
export type ToReader =
  | { kind: "poll"; now: number }
  | { kind: "report"; id: number; filter: ReportFilter; format: ReportFormat }
  | { kind: "find_session"; id: number; sessionId: string }
  | { kind: "close" };

/** What has changed since the last poll; null: nothing. */
export type Changes = {
  catalogue: CatalogueRows | null;
  /** Read together with the catalogue. */
  apiKeys: StoredApiKey[] | null;
  /** Read together with the catalogue. */
  secrets: StoredSecret[] | null;
  salts: VisitorSaltTable[] | null;
  exhausted: OfferId[] | null;
};

/** From the reader thread: one answer to each poll. */
export type FromReader =
  | { kind: "polled"; changes: Changes }
  /** Nothing could be read this time; what is known stays. */
  | { kind: "poll_failed"; code: string }
  | { kind: "reported"; id: number; text: Uint8Array<ArrayBuffer> }
  | { kind: "report_failed"; id: number; code: string }
  | { kind: "session_found"; id: number; session: DeclineSession | null }
  | { kind: "session_failed"; id: number; code: string }
  | { kind: "closed" };
