import { parentPort, workerData } from "node:worker_threads";
import { dayNumber } from "../../core/utc-day.ts";
import { boundedReportText } from "../books/report-text.ts";
import { readRequestStory } from "../books/request-story.ts";
import { startReadCells } from "../books/waiting-sums.ts";
import { readCatalogueChanges } from "../catalogue/catalogue-changes.ts";
import { findChunk, putChunks } from "../catalogue/chunks.ts";
import { countLiveSessions } from "../catalogue/live-sessions.ts";
import { readRunNotes } from "../catalogue/run-notes.ts";
import { hasUsers } from "../catalogue/users.ts";
import { answerReader, type Reading } from "../threads/answer-reader.ts";
import type { ToldByReader } from "../threads/reader-questions.ts";
import { prepareFindAccessToken } from "./access-tokens.ts";
import { type Database, openDatabase } from "./database.ts";
import { prepareFindSession } from "./decline-sessions.ts";
import { fileSizes } from "./file-sizes.ts";
import { startFoldingLog } from "./fold-log.ts";
import { housekeep } from "./housekeeping.ts";
import { migrate } from "./migrate.ts";
import type { Durability } from "./open-sqlite.ts";
import { preparePoll } from "./poll.ts";
import { preparePurge } from "./purge.ts";
import { startFactPurge } from "./purge-facts.ts";
import { storageTrouble } from "./storage-trouble.ts";
import { truncateLog } from "./truncate-log.ts";

/** What the reader thread is started with. */
export type ReaderOptions = {
  file: string;
  durability: Durability;
  /** For how many days events are kept one by one; null: for ever. */
  eventsKeptDays: number | null;
};

type Tell = (told: ToldByReader) => void;

/** Nobody can write while a truncation waits for somebody who reads, such as a backup, so it is not tried with each poll. */
const truncateRestMs = 60_000;

/** Before anything is read the file is migrated, and with each new day this thread keeps house. */
const startReading = async (options: ReaderOptions, now: number, tell: Tell): Promise<Reading> => {
  const database = openDatabase({ ...options, busyTimeoutMs: 1000, cacheKibibytes: 2048 });
  await migrate(database);
  const keepHouse = prepareHousekeeping(database);
  await keepHouse(now, 5000);
  const { db, sqlite } = database;
  const purge = preparePurging(database, options, tell);
  const stopFolding = startFoldingLog(sqlite);
  const readCells = startReadCells();
  return {
    poll: preparePoll(database, {
      keepHouse: keepHouseUnlessLocked(keepHouse, purge.look),
      readCatalogue: (seen) => readCatalogueChanges(db, seen, tell),
    }),
    // The text is made here, so that the main thread neither waits for the rows nor turns them into text.
    report: ({ filter, format }) => boundedReportText(db, filter, format, readCells),
    explain: (asked) => readRequestStory(db, asked),
    // A read outside any transaction sees whatever is committed by then, by this process or another.
    findSession: prepareFindSession(sqlite),
    findAccessToken: prepareFindAccessToken(sqlite),
    putChunks: async ({ chunks, now }) => {
      await putChunks(db, chunks, now);
      return null;
    },
    findChunk: (name) => findChunk(db, name),
    hasUsers: () => hasUsers(db),
    measure: async (at) => ({
      ...fileSizes(options.file),
      loggedBytes: null,
      ...(await countLiveSessions(db, at)),
      runs: await readRunNotes(db),
    }),
    close: () => {
      purge.stop();
      stopFolding();
      sqlite.close();
    },
  };
};

/** Says whether anything may have changed. Nothing is done twice on one day, so it may be asked all the time. */
const prepareHousekeeping = (database: Database) => {
  let keptDay = Number.NaN;
  /** By a clock that never goes back. */
  let truncateAt = Number.POSITIVE_INFINITY;
  return async (now: number, lockWaitMs: number): Promise<boolean> => {
    const day = dayNumber(now);
    const isDue = day !== keptDay;
    if (isDue) {
      if (await housekeep(database, now, lockWaitMs)) truncateAt = 0;
      keptDay = day;
    }
    if (performance.now() >= truncateAt) {
      truncateAt = truncateLog(database.sqlite)
        ? Number.POSITIVE_INFINITY
        : performance.now() + truncateRestMs;
    }
    return isDue;
  };
};

/**
 * Says whether anything may have changed. A database that is locked just now can still be read, and its salts can wait:
 * tomorrow's is there since yesterday.
 */
const keepHouseUnlessLocked =
  (keepHouse: ReturnType<typeof prepareHousekeeping>, purge: (now: number) => void) =>
  async (now: number): Promise<boolean> => {
    let isChanged = false;
    try {
      isChanged = await keepHouse(now, 250);
      purge(now);
    } catch (error) {
      if (storageTrouble(error) === null) throw error;
    }
    return isChanged;
  };

/** What is looked for with each poll, and goes when it is old enough. */
const preparePurging = ({ sqlite }: Database, { eventsKeptDays: keptDays }: ReaderOptions, tell: Tell) => {
  const purgePassing = preparePurge(sqlite, keptDays);
  const facts = startFactPurge(sqlite, {
    keptDays,
    // A row that cannot be read must not end the service: it is as old as it is, and is told of once a minute.
    onError: (error) => {
      if (storageTrouble(error) === null) tell({ event: "events_not_purged", message: String(error) });
    },
  });
  return {
    look: (now: number): void => {
      purgePassing(now, 250);
      facts.look(now);
    },
    stop: facts.stop,
  };
};

if (parentPort) {
  answerReader(parentPort, {
    open: (now, tell) => startReading(workerData, now, tell),
    troubleOf: storageTrouble,
    waitsForServer: false,
  });
}
