import type { DeclineSession } from "../../core/decline-session.ts";
import type { ReportFilter, ReportFormat } from "../../core/report-filter.ts";
import type { AskedRequest, RequestStory } from "../../core/request-story.ts";
import type { CatalogueChanges, SnapshotChanges } from "../../core/snapshot-changes.ts";
import type { Durability } from "./open-sqlite.ts";

/** What the reader thread is started with. */
export type ReaderOptions = {
  file: string;
  durability: Durability;
  /** For how many days events are kept one by one; null: for ever. */
  eventsKeptDays: number | null;
};

export type ReaderQuestions = {
  /** `now` in milliseconds since the epoch. The first poll opens and migrates the file. */
  poll: { asked: { now: number }; answer: Omit<SnapshotChanges, "catalogue"> };
  report: { asked: { filter: ReportFilter; format: ReportFormat }; answer: Uint8Array<ArrayBuffer> };
  explain: { asked: AskedRequest; answer: RequestStory | null };
  findSession: { asked: string; answer: DeclineSession | null };
  hasUsers: { asked: null; answer: boolean };
  close: { asked: null; answer: null };
};

/** A part of the catalogue that has changed, where the answer to the poll comes after the last one; or an event for the log. */
export type ToldByReader = CatalogueChanges | ReaderEvent;

export type ReaderEvent = { event: "events_not_purged"; message: string };
