import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import type { SnapshotChanges } from "../../core/snapshot-changes.ts";
import { dayNumber } from "../../core/utc-day.ts";
import { readReport } from "../books/report.ts";
import { reportText } from "../books/report-text.ts";
import { readCatalogueChanges } from "../catalogue/catalogue-changes.ts";
import { type Database, openDatabase } from "./database.ts";
import { prepareFindSession, preparePurge } from "./decline-sessions.ts";
import { prepareExhaustedOffers } from "./exhausted-offers.ts";
import { housekeep } from "./housekeeping.ts";
import { migrate } from "./migrate.ts";
import type { FromReader, ReaderOptions, ToReader } from "./reader-messages.ts";
import { storageTrouble } from "./storage-trouble.ts";
import { truncateLog } from "./truncate-log.ts";

/**
 * The thread for everything that is not the journal: it reads what requests are answered from, so that no request
 * reads the file. Before that it migrates the database, and with each new day it keeps house.
 */
const run = (port: MessagePort, options: ReaderOptions): void => {
  // A report is moved, not copied: it may be long, and the main thread has other things to do.
  const post = (message: FromReader) =>
    port.postMessage(message, message.kind === "reported" ? [message.text.buffer] : []);
  let reading: Reading | null = null;
  const handle = async (message: ToReader): Promise<void> => {
    switch (message.kind) {
      case "poll":
        reading ??= await startReading(options, message.now, post);
        return post(await reading.poll(message.now));
      case "report":
        return post(await makeReport(reading, message));
      case "find_session":
        return post(findSession(reading, message));
      case "close":
        reading?.database.sqlite.close();
        post({ kind: "closed" });
        return port.close();
      default:
        message satisfies never;
    }
  };
  const urgent: ToReader[] = [];
  const reports: ToReader[] = [];
  let isBusy = false;
  const work = async (): Promise<void> => {
    isBusy = true;
    for (;;) {
      // What has arrived meanwhile: a poll must not wait behind a row of long reports.
      await new Promise(setImmediate);
      const next = urgent.shift() ?? reports.shift();
      if (next === undefined) break;
      const since = performance.now();
      await handle(next);
      if (next.kind === "close") return;
      // A row of long reports leaves half of this processor to those who record and answer events.
      if (reports.length > 0) await pause(Math.min(performance.now() - since, longestPauseMs));
    }
    isBusy = false;
  };
  port.on("message", (message: ToReader) => {
    (message.kind === "report" ? reports : urgent).push(message);
    if (!isBusy) void work();
  });
};

const longestPauseMs = 100;

const pause = (ms: number): Promise<void> => new Promise((resume) => setTimeout(resume, ms));

type Reading = {
  database: Database;
  poll: (now: number) => Promise<FromReader>;
  findSession: ReturnType<typeof prepareFindSession>;
};

type ReportMessage = Extract<ToReader, { kind: "report" }>;

/** The text is made here, so that the main thread neither waits for the rows nor turns them into text. */
const makeReport = async (
  reading: Reading | null,
  { id, filter, format }: ReportMessage,
): Promise<FromReader> => {
  try {
    if (reading === null) return { kind: "report_failed", id, code: "not open" };
    const report = await readReport(reading.database.db, filter);
    return { kind: "reported", id, text: reportText(report, filter, format) };
  } catch (error) {
    const trouble = storageTrouble(error);
    if (trouble === null) throw error;
    return { kind: "report_failed", id, code: trouble.code };
  }
};

/** A read outside any transaction sees whatever is committed by then, by this process or another. */
const findSession = (
  reading: Reading | null,
  { id, sessionId }: Extract<ToReader, { kind: "find_session" }>,
): FromReader => {
  try {
    if (reading === null) return { kind: "session_failed", id, code: "not open" };
    return { kind: "session_found", id, session: reading.findSession(sessionId) };
  } catch (error) {
    const trouble = storageTrouble(error);
    if (trouble === null) throw error;
    return { kind: "session_failed", id, code: trouble.code };
  }
};

/** What fails here ends the thread: a store that cannot read does not open. */
const startReading = async (
  options: ReaderOptions,
  now: number,
  post: (message: FromReader) => void,
): Promise<Reading> => {
  const database = openDatabase({ ...options, busyTimeoutMs: 1000, cacheKibibytes: 2048 });
  await migrate(database);
  const keepHouse = prepareHousekeeping(database);
  await keepHouse(now, 5000);
  return {
    database,
    poll: preparePoll(database, keepHouse, post),
    findSession: prepareFindSession(database.sqlite),
  };
};

/** Says whether anything may have changed. Nothing is done twice on one day, so it may be asked all the time. */
const prepareHousekeeping = (database: Database) => {
  let keptDay = -1;
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

const preparePoll = (
  database: Database,
  keepHouse: ReturnType<typeof prepareHousekeeping>,
  post: (message: FromReader) => void,
): ((now: number) => Promise<FromReader>) => {
  const { db, sqlite } = database;
  const exhaustedOffers = prepareExhaustedOffers(sqlite);
  const purge = preparePurge(sqlite);
  let seen = { data: -1, catalogue: 0, day: -1 };

  const read = async (now: number): Promise<Omit<SnapshotChanges, "catalogue">> => {
    const day = dayNumber(now);
    // Asked before anything is read: what is committed in the meantime shows at the next poll.
    const data = Number(sqlite.pragma("data_version", { simple: true }));
    if (data === seen.data && day === seen.day) return { salts: null, exhausted: null };
    const catalogue = await readCatalogueChanges(db, seen.catalogue, (changes) =>
      post({ kind: "part", changes }),
    );
    const salts = await db.selectFrom("visitor_salt").selectAll().orderBy("day").execute();
    const exhausted = exhaustedOffers.all(day);
    seen = { data, catalogue, day };
    return { salts, exhausted };
  };

  /** A database that is locked just now can still be read, and its salts can wait: tomorrow's is there since yesterday. */
  const keepHouseUnlessLocked = async (now: number): Promise<void> => {
    try {
      // SQLite does not report a connection's own changes to it.
      if (await keepHouse(now, 250)) seen.data = -1;
      purge(now, 250);
    } catch (error) {
      if (storageTrouble(error) === null) throw error;
    }
  };

  return async (now) => {
    try {
      await keepHouseUnlessLocked(now);
      return { kind: "polled", changes: await read(now) };
    } catch (error) {
      const trouble = storageTrouble(error);
      if (trouble === null) throw error;
      return { kind: "poll_failed", code: trouble.code };
    }
  };
};

if (parentPort) run(parentPort, workerData);
