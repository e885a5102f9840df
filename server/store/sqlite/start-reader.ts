import type { DeclineSession } from "../../core/decline-session.ts";
import type { ReportFilter, ReportFormat } from "../../core/report-filter.ts";
import type { CatalogueChanges, SnapshotChanges } from "../../core/snapshot-changes.ts";
import { JournalUnavailable } from "../journal/journal.ts";
import type { FromReader, ReaderOptions, ToReader } from "./reader-messages.ts";
import { startThread } from "./start-thread.ts";

export type Reader = {
  /** What has changed since the last poll, at `now` (milliseconds since the epoch); null when nothing could be read. */
  poll(now: number): Promise<SnapshotChanges | null>;
  /** Resolves with the text of a report; null when so many wait that one more would only make all of them late. */
  report(filter: ReportFilter, format: ReportFormat): Promise<Uint8Array | null>;
  /** Resolves with a decline session; rejects when it cannot be read, or so many are asked for that it would be late. */
  findSession(sessionId: string): Promise<DeclineSession | null>;
  close(): Promise<void>;
};

/** Each takes milliseconds as a rule, and some seconds at the worst. */
const reportsAtOnce = 20;
/** Each takes some microseconds; more than these wait for something else. */
const sessionsAtOnce = 5000;

/**
 * Starts the reader thread, whose first poll opens and migrates the database. `onDeath` is called once when the thread
 * fails, and everything under way rejects.
 */
export function startReader(
  options: ReaderOptions & { log: (event: object) => void; onDeath: (error: Error) => void },
): Reader {
  const { log, onDeath, ...workerData } = options;
  /** In the order of the questions, which is that of the answers. */
  const asked: PromiseWithResolvers<SnapshotChanges | null>[] = [];
  /** What has come of the answer that is under way. */
  let parts: CatalogueChanges[] = [];
  const reports = new Map<number, PromiseWithResolvers<Uint8Array | null>>();
  const sessions = new Map<number, PromiseWithResolvers<DeclineSession | null>>();
  let lastId = 0;

  const take = <T>(from: Map<number, T>, id: number): T | undefined => {
    const taken = from.get(id);
    from.delete(id);
    return taken;
  };

  const onMessage = (message: FromReader): void => {
    switch (message.kind) {
      case "part":
        parts.push(message.changes);
        return;
      case "polled":
        asked.shift()?.resolve({ ...message.changes, catalogue: parts });
        parts = [];
        return;
      case "poll_failed":
        // What it has read comes again: the version that it has seen has not moved.
        parts = [];
        log({ event: "catalogue_poll_failed", code: message.code });
        asked.shift()?.resolve(null);
        return;
      case "reported":
        take(reports, message.id)?.resolve(message.text);
        return;
      case "report_failed":
        log({ event: "report_failed", code: message.code });
        take(reports, message.id)?.reject(new JournalUnavailable(`a report failed (${message.code})`, 1));
        return;
      case "session_found":
        take(sessions, message.id)?.resolve(message.session);
        return;
      case "session_failed":
        take(sessions, message.id)?.reject(
          new JournalUnavailable(`a session could not be read (${message.code})`, 1),
        );
        return;
      case "closed":
        thread.expectEnd();
        return;
      default:
        message satisfies never;
    }
  };

  const thread = startThread<ToReader, FromReader>(new URL("./reader-thread.ts", import.meta.url), {
    workerData,
    onMessage,
    onDeath: (error) => {
      for (const question of [...asked.splice(0), ...reports.values(), ...sessions.values()])
        question.reject(error);
      reports.clear();
      sessions.clear();
      onDeath(error);
    },
  });

  return {
    poll: (now) => {
      const question = Promise.withResolvers<SnapshotChanges | null>();
      asked.push(question);
      thread.post({ kind: "poll", now });
      return question.promise;
    },
    report: async (filter, format) => {
      if (reports.size >= reportsAtOnce) return null;
      lastId += 1;
      const question = Promise.withResolvers<Uint8Array | null>();
      reports.set(lastId, question);
      thread.post({ kind: "report", id: lastId, filter, format });
      return question.promise;
    },
    findSession: async (sessionId) => {
      if (sessions.size >= sessionsAtOnce)
        throw new JournalUnavailable("too many sessions are looked for", 1);
      lastId += 1;
      const question = Promise.withResolvers<DeclineSession | null>();
      sessions.set(lastId, question);
      thread.post({ kind: "find_session", id: lastId, sessionId });
      return question.promise;
    },
    close: async () => {
      thread.post({ kind: "close" });
      await thread.ended;
      for (const report of reports.values()) report.reject(new JournalUnavailable("the store is closing", 1));
      reports.clear();
    },
  };
}
