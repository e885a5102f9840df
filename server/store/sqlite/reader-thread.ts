import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import type { CatalogueChanges } from "../../core/snapshot-changes.ts";
import { dayNumber } from "../../core/utc-day.ts";
import { reportText } from "../books/report-text.ts";
import { readRequestStory } from "../books/request-story.ts";
import { readCatalogueChanges } from "../catalogue/catalogue-changes.ts";
import { hasUsers } from "../catalogue/users.ts";
import { prepareAnswering } from "../threads/answer-questions.ts";
import type { Question, Reply } from "../threads/start-thread.ts";
import { type Database, openDatabase } from "./database.ts";
import { prepareFindSession } from "./decline-sessions.ts";
import { prepareExhaustedOffers } from "./exhausted-offers.ts";
import { housekeep } from "./housekeeping.ts";
import { migrate } from "./migrate.ts";
import { prepareNewDismissals } from "./new-dismissals.ts";
import { preparePurge } from "./purge.ts";
import { startFactPurge } from "./purge-facts.ts";
import { prepareRateChanges } from "./rate-counts.ts";
import type { ReaderEvent, ReaderOptions, ReaderQuestions, ToldByReader } from "./reader-questions.ts";
import { storageTrouble } from "./storage-trouble.ts";
import { truncateLog } from "./truncate-log.ts";

/**
 * The thread for everything that is not the journal: it reads what requests are answered from, so that no request
 * reads the file. Before that it migrates the database, and with each new day it keeps house.
 */
const run = (port: MessagePort, options: ReaderOptions): void => {
  let reading: Reading | null = null;
  const opened = (): Reading => {
    if (reading === null) throw new Error("a question came before the database was opened");
    return reading;
  };
  const tell = (told: ToldByReader) => port.postMessage({ told } satisfies Reply<ToldByReader>);
  const answer = prepareAnswering<ReaderQuestions>(
    port,
    {
      poll: async ({ now }) => {
        reading ??= await startReading(options, now, tell);
        return reading.poll(now);
      },
      // The text is made here, so that the main thread neither waits for the rows nor turns them into text.
      report: ({ filter, format }) => reportText(opened().database.db, filter, format),
      explain: (asked) => readRequestStory(opened().database.db, asked),
      // A read outside any transaction sees whatever is committed by then, by this process or another.
      findSession: (sessionId) => opened().findSession(sessionId),
      hasUsers: () => hasUsers(opened().database.db),
      close: () => {
        reading?.close();
        return null;
      },
    },
    storageTrouble,
  );
  const urgent: Question<ReaderQuestions>[] = [];
  const reports: Question<ReaderQuestions>[] = [];
  let isBusy = false;
  const work = async (): Promise<void> => {
    isBusy = true;
    for (;;) {
      // What has arrived meanwhile: a poll must not wait behind a row of long reports.
      await new Promise(setImmediate);
      const next = urgent.shift() ?? reports.shift();
      if (next === undefined) break;
      const since = performance.now();
      await answer(next);
      if (next.kind === "close") return;
      // A row of long reports leaves half of this processor to those who record and answer events.
      if (reports.length > 0) await pause(Math.min(performance.now() - since, longestPauseMs));
    }
    isBusy = false;
  };
  port.on("message", (question: Question<ReaderQuestions>) => {
    (question.kind === "report" || question.kind === "explain" ? reports : urgent).push(question);
    if (!isBusy) void work();
  });
};

const longestPauseMs = 100;

const pause = (ms: number): Promise<void> => new Promise((resume) => setTimeout(resume, ms));

type Reading = {
  database: Database;
  poll: (now: number) => Promise<ReaderQuestions["poll"]["answer"]>;
  findSession: ReturnType<typeof prepareFindSession>;
  close: () => void;
};

/** What fails here ends the thread: a store that cannot read does not open. */
const startReading = async (
  options: ReaderOptions,
  now: number,
  tell: (part: ToldByReader) => void,
): Promise<Reading> => {
  const opening = async (): Promise<Reading> => {
    const database = openDatabase({ ...options, busyTimeoutMs: 1000, cacheKibibytes: 2048 });
    await migrate(database);
    const keepHouse = prepareHousekeeping(database);
    await keepHouse(now, 5000);
    const findSession = prepareFindSession(database.sqlite);
    const purge = preparePurging(database, options, tell);
    const close = (): void => {
      purge.stop();
      database.sqlite.close();
    };
    return {
      database,
      poll: preparePoll(database, { keepHouse, purge: purge.look }, tell),
      findSession,
      close,
    };
  };
  try {
    return await opening();
  } catch (error) {
    throw new Error(error instanceof Error ? error.message : String(error), { cause: error });
  }
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
const preparePurging = (
  { sqlite }: Database,
  { eventsKeptDays: keptDays }: ReaderOptions,
  tell: (event: ReaderEvent) => void,
) => {
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
  tell: (part: CatalogueChanges) => void,
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
      return { salts: null, exhausted: null, paced: null, dismissed: [], rates };
    }
    const catalogue = await readCatalogueChanges(db, seen.catalogue, tell);
    const salts = await db.selectFrom("visitor_salt").selectAll().orderBy("day").execute();
    const { exhausted = null, paced = null } =
      exhaustedOffers.changed(day, catalogue !== seen.catalogue) ?? {};
    seen = { data, catalogue, day };
    return { salts, exhausted, paced, dismissed: newDismissals(), rates };
  };
};

if (parentPort) run(parentPort, workerData);
