import { parentPort, workerData } from "node:worker_threads";
import { boundedReportText } from "../books/report-text.ts";
import { readRequestStory } from "../books/request-story.ts";
import { readCatalogueChanges } from "../catalogue/catalogue-changes.ts";
import { findChunk, putChunks } from "../catalogue/chunks.ts";
import { countLiveSessions } from "../catalogue/live-sessions.ts";
import { readRunNotes } from "../catalogue/run-notes.ts";
import { hasUsers } from "../catalogue/users.ts";
import { answerReader, type Reading } from "../threads/answer-reader.ts";
import type { ToldByReader } from "../threads/reader-questions.ts";
import { askingOf } from "./asking.ts";
import { prepareBudgetsOfDay } from "./budgets-of-day.ts";
import { databaseOver } from "./database.ts";
import { findAccessToken } from "./find-access-token.ts";
import { findSession } from "./find-session.ts";
import { startHousekeeping } from "./keep-house.ts";
import { migrateAt } from "./open-catalogue.ts";
import { preparePoll } from "./poll.ts";
import { createPool } from "./pool.ts";
import { prepareRateChanges } from "./rate-changes.ts";
import { prepareSalts } from "./salts.ts";
import { serverSizes } from "./server-sizes.ts";
import { prepareServerTime } from "./server-time.ts";
import { storageTrouble } from "./storage-trouble.ts";

/** What the reader thread is started with. */
export type ReaderOptions = {
  /** `DATABASE_URL`. */
  url: string;
  /** For how many days events are kept one by one; null: for ever. */
  eventsKeptDays: number | null;
};

/** Of polls and of those who look for a row: whatever takes longer has met a server that is silent. */
const quickly = { most: 2, settings: { statement_timeout: 8000 }, deadlineMs: 9000 };
/** Of reports, which come one after another: one of a large database takes seconds. */
const atLeisure = { most: 1, settings: { statement_timeout: 30_000 }, deadlineMs: 32_000 };

/** Before anything is read the database is migrated; with each poll it is looked whether there is house to keep. */
const startReading = async (
  { url, eventsKeptDays }: ReaderOptions,
  tell: (told: ToldByReader) => void,
): Promise<Reading> => {
  await migrateAt(url, () => tell({ event: "migration_waits" }));
  const pool = createPool({ url, name: "offers reader", ...quickly });
  const reports = databaseOver(createPool({ url, name: "offers reports", ...atLeisure }));
  const ask = askingOf(pool);
  const db = databaseOver(pool);
  const house = startHousekeeping({ url, eventsKeptDays, log: tell });
  const time = prepareServerTime(ask);
  const poll = preparePoll({
    ask,
    readCatalogue: (seen) => readCatalogueChanges(db, seen, tell),
    budgets: prepareBudgetsOfDay(ask),
    rates: prepareRateChanges(ask),
    salts: prepareSalts(pool, tell),
    time,
    log: tell,
  });
  return {
    poll: async (now) => {
      const changes = await poll(now);
      house.look(now + time.offsetMs());
      return changes;
    },
    // The text is made here, so that the main thread neither waits for the rows nor turns them into text.
    report: ({ filter, format }) => boundedReportText(reports, filter, format),
    explain: (asked) => readRequestStory(reports, asked),
    findSession: (sessionId) => findSession(ask, sessionId),
    findAccessToken: (idHash) => findAccessToken(ask, idHash),
    putChunks: async ({ chunks, now }) => {
      await putChunks(db, chunks, now);
      return null;
    },
    findChunk: (name) => findChunk(db, name),
    hasUsers: () => hasUsers(db),
    measure: async (at) => {
      const sizes = await serverSizes(ask);
      return { ...sizes, logBytes: null, ...(await countLiveSessions(db, at)), runs: await readRunNotes(db) };
    },
    close: async () => {
      await Promise.all([house.stop(), db.destroy(), reports.destroy()]);
    },
  };
};

if (parentPort) {
  answerReader(parentPort, {
    open: (_now, tell) => startReading(workerData, tell),
    troubleOf: storageTrouble,
    waitsForServer: true,
  });
}
