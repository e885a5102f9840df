import { parentPort, workerData } from "node:worker_threads";
import { dayNumber } from "../../core/utc-day.ts";
import { reportText } from "../books/report-text.ts";
import { readRequestStory } from "../books/request-story.ts";
import { readCatalogueChanges } from "../catalogue/catalogue-changes.ts";
import { countLiveSessions } from "../catalogue/live-sessions.ts";
import { readRunNotes } from "../catalogue/run-notes.ts";
import { hasUsers } from "../catalogue/users.ts";
import { answerReader, type Reading } from "../threads/answer-reader.ts";
import type { ToldByReader } from "../threads/reader-questions.ts";
import { prepareFindAccessToken } from "./access-tokens.ts";
import { type Database, openDatabase } from "./database.ts";
import { prepareFindSession } from "./decline-sessions.ts";
import { prepareExhaustedOffers } from "./exhausted-offers.ts";
import { fileSizes } from "./file-sizes.ts";
import { startFoldingLog } from "./fold-log.ts";
import { housekeep } from "./housekeeping.ts";
import { migrate } from "./migrate.ts";
import { prepareNewDismissals } from "./new-dismissals.ts";
import type { Durability } from "./open-sqlite.ts";
import { preparePurge } from "./purge.ts";
import { startFactPurge } from "./purge-facts.ts";
import { prepareRateChanges } from "./rate-counts.ts";
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

/** Before anything is read the file is migrated, and with each new day this thread keeps house. */
const startReading = async (options: ReaderOptions, now: number, tell: Tell): Promise<Reading> => {
  const database = openDatabase({ ...options, busyTimeoutMs: 1000, cacheKibibytes: 2048 });
  await migrate(database);
  const keepHouse = prepareHousekeeping(database);
  await keepHouse(now, 5000);
  const { db, sqlite } = database;
  const purge = preparePurging(database, options, tell);
  const stopFolding = startFoldingLog(sqlite);
  return {
    poll: preparePoll(database, { keepHouse, purge: purge.look }, tell),
    // The text is made here, so that the main thread neither waits for the rows nor turns them into text.
    report: ({ filter, format }) => reportText(db, filter, format),
    explain: (asked) => readRequestStory(db, asked),
    // A read outside any transaction sees whatever is committed by then, by this process or another.
    findSession: prepareFindSession(sqlite),
    findAccessToken: prepareFindAccessToken(sqlite),
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
  let mustTruncate = false;
  return async (now: number, lockWaitMs: number): Promise<boolean> => {
    const day = dayNumber(now);
    const isDue = day !== keptDay;
    if (isDue) {
      if (await housekeep(database, now, lockWaitMs)) mustTruncate = true;
      keptDay = day;
    }
    if (mustTruncate && truncateLog(database.sqlite)) mustTruncate = false;
    return isDue;
  };
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

const preparePoll = (
  database: Database,
  { keepHouse, purge }: { keepHouse: ReturnType<typeof prepareHousekeeping>; purge: (now: number) => void },
  tell: Tell,
): Reading["poll"] => {
  const { db, sqlite } = database;
  const exhaustedOffers = prepareExhaustedOffers(sqlite);
  const newDismissals = prepareNewDismissals(sqlite);
  const rateChanges = prepareRateChanges(sqlite);
  let seen = { data: -1, catalogue: 0, day: Number.NaN };

  /** A database that is locked just now can still be read, and its salts can wait: tomorrow's is there since yesterday. */
  const keepHouseUnlessLocked = async (now: number): Promise<void> => {
    try {
      // SQLite does not report a connection's own changes to it.
      if (await keepHouse(now, 250)) seen.data = -1;
      purge(now);
    } catch (error) {
      if (storageTrouble(error) === null) throw error;
    }
  };

  return async (now) => {
    await keepHouseUnlessLocked(now);
    const day = dayNumber(now);
    // Asked before anything is read: what is committed in the meantime shows at the next poll.
    const data = Number(sqlite.pragma("data_version", { simple: true }));
    const rates = rateChanges(now);
    if (data === seen.data && day === seen.day) {
      return { salts: null, exhausted: null, paced: null, dismissed: [], rates, clockOffsetMs: 0 };
    }
    const catalogue = await readCatalogueChanges(db, seen.catalogue, tell);
    const salts = await db.selectFrom("visitor_salt").selectAll().orderBy("day").execute();
    const { exhausted = null, paced = null } =
      exhaustedOffers.changed(day, catalogue !== seen.catalogue) ?? {};
    seen = { data, catalogue, day };
    return { salts, exhausted, paced, dismissed: newDismissals(), rates, clockOffsetMs: 0 };
  };
};

if (parentPort) {
  answerReader(parentPort, {
    open: (now, tell) => startReading(workerData, now, tell),
    troubleOf: storageTrouble,
    waitsForServer: false,
  });
}
