import type { DatabaseMeasures } from "../../core/database-measures.ts";
import type { DeclineSession } from "../../core/decline-session.ts";
import type { LogLine } from "../../core/log-events.ts";
import type { AccessToken } from "../../core/oauth.ts";
import type { ReportFilter, ReportFormat } from "../../core/report-filter.ts";
import type { AskedRequest, RequestStory } from "../../core/request-story.ts";
import type { CatalogueChanges } from "../../core/snapshot-changes.ts";
import type { Polled } from "../engine.ts";

/** What the reader thread of any engine is asked. */
export type ReaderQuestions = {
  /** `now` in milliseconds since the epoch. The first poll opens and migrates the database. */
  poll: { asked: { now: number }; answer: Omit<Polled, "catalogue"> };
  report: {
    asked: { filter: ReportFilter; format: ReportFormat };
    answer: Uint8Array<ArrayBuffer> | "too_many_rows";
  };
  explain: { asked: AskedRequest; answer: RequestStory | null };
  findSession: { asked: string; answer: DeclineSession | null };
  hasUsers: { asked: null; answer: boolean };
  /** At a moment, in milliseconds since the epoch. */
  measure: { asked: number; answer: DatabaseMeasures };
  /** By its hash. */
  findAccessToken: { asked: string; answer: AccessToken | null };
  putChunks: { asked: { chunks: ReadonlyMap<string, Uint8Array>; now: number }; answer: null };
  /** By its name. */
  findChunk: { asked: string; answer: Uint8Array | null };
  close: { asked: null; answer: null };
};

/** A part of the catalogue that has changed, where the answer to the poll comes after the last one; or an event for the log. */
export type ToldByReader = CatalogueChanges | LogLine;
