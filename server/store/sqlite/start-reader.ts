import type { DeclineSession } from "../../core/decline-session.ts";
import type { ReportFilter, ReportFormat } from "../../core/report-filter.ts";
import type { AskedRequest, RequestStory } from "../../core/request-story.ts";
import type { CatalogueChanges, SnapshotChanges } from "../../core/snapshot-changes.ts";
import { JournalUnavailable } from "../journal/journal.ts";
import { StorageRefusal, startThread, ThreadEnded } from "../threads/start-thread.ts";
import type { ReaderOptions, ReaderQuestions, ToldByReader } from "./reader-questions.ts";

export type Reader = {
  /** What has changed since the last poll, at `now` (milliseconds since the epoch); null when nothing could be read. */
  poll(now: number): Promise<SnapshotChanges | null>;
  /** Resolves with the text of a report; null when so many wait that one more would only make all of them late. */
  report(filter: ReportFilter, format: ReportFormat): Promise<Uint8Array | null>;
  /** Resolves with what is stored of a request, or null of none; it waits with the reports, and null alone means as theirs. */
  explain(asked: AskedRequest): Promise<{ story: RequestStory | null } | null>;
  /** Resolves with a decline session; rejects when it cannot be read, or so many are asked for that it would be late. */
  findSession(sessionId: string): Promise<DeclineSession | null>;
  /** Whether anybody can sign in, or could once they have chosen a password. */
  hasUsers(): Promise<boolean>;
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
  /** What has come of the answer that is under way. */
  let parts: CatalogueChanges[] = [];
  let reports = 0;
  let sessions = 0;
  const thread = startThread<ReaderQuestions, ToldByReader>(new URL("./reader-thread.ts", import.meta.url), {
    workerData,
    onTold: (told) => void ("event" in told ? log(told) : parts.push(told)),
    onDeath,
  });
  /** The storage's refusal, or the end of the thread, in words that a caller answers 503 by. */
  const unavailable = (what: string, error: unknown): unknown => {
    if (error instanceof ThreadEnded) return new JournalUnavailable("the store is closing", 1);
    if (!(error instanceof StorageRefusal)) return error;
    log({ event: "read_failed", what, code: error.code });
    return new JournalUnavailable(`${what} could not be read (${error.code})`, 1);
  };

  const inTurn = async <T>(what: string, ask: () => Promise<T>): Promise<T | null> => {
    if (reports >= reportsAtOnce) return null;
    reports += 1;
    try {
      return await ask();
    } catch (error) {
      throw unavailable(what, error);
    } finally {
      reports -= 1;
    }
  };

  return {
    poll: async (now) => {
      try {
        const changes = await thread.ask("poll", { now });
        return { ...changes, catalogue: parts };
      } catch (error) {
        if (!(error instanceof StorageRefusal)) throw error;
        log({ event: "catalogue_poll_failed", code: error.code });
        // What it has read comes again: the version that it has seen has not moved.
        return null;
      } finally {
        parts = [];
      }
    },
    report: (filter, format) => inTurn("a report", () => thread.ask("report", { filter, format })),
    explain: (asked) => inTurn("a request", async () => ({ story: await thread.ask("explain", asked) })),
    findSession: async (sessionId) => {
      if (sessions >= sessionsAtOnce) throw new JournalUnavailable("too many sessions are looked for", 1);
      sessions += 1;
      try {
        return await thread.ask("findSession", sessionId);
      } catch (error) {
        throw unavailable("a session", error);
      } finally {
        sessions -= 1;
      }
    },
    hasUsers: () => thread.ask("hasUsers", null),
    close: () => thread.close(),
  };
}
