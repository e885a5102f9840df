import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import type { OfferId } from "@offers/contract/ids";
import type { Database as Sqlite } from "better-sqlite3";
import { prepareExhaustedOffers } from "./exhausted-offers.ts";
import { type LogTidying, prepareLogTidying } from "./log-tidying.ts";
import { openSqlite } from "./open-sqlite.ts";
import { storageTrouble } from "./storage-trouble.ts";
import { truncateLog } from "./truncate-log.ts";
import { type BatchResult, prepareWriteBatch } from "./write-batch.ts";
import type { FromWriter, ToWriter, WriterOptions } from "./writer-messages.ts";

const tidyEveryMs = 500;

/**
 * The thread that writes the journal: it may wait for the disk, the main thread may not. It has nothing but prepared
 * statements; what is rare is done by the reader thread, which has kysely.
 */
const run = (port: MessagePort, options: WriterOptions): void => {
  const post = (message: FromWriter) => port.postMessage(message);
  let writing: Writing | null = null;
  port.on("message", (message: ToWriter) => {
    switch (message.kind) {
      case "open":
        writing = startWriting(options, post);
        post({ kind: "ready" });
        return;
      case "batch":
        if (writing === null) throw new Error("a batch came before the database was opened");
        post(writing.write(message.entriesJson));
        writing.tidying.wrote();
        return;
      case "close":
        writing?.close();
        post({ kind: "closed" });
        port.close();
        return;
      default:
        message satisfies never;
    }
  });
};

type Writing = { write: (entriesJson: string) => FromWriter; tidying: LogTidying; close: () => void };

const startWriting = (options: WriterOptions, post: (message: FromWriter) => void): Writing => {
  // Nothing waits inside SQLite: a batch does its own waiting for the lock.
  const sqlite = openSqlite({ ...options, busyTimeoutMs: 0, cacheKibibytes: 16_384 });
  const tidying = prepareLogTidying(sqlite, (event) => post({ kind: "log", event }));
  const timer = setInterval(tidying.tidy, tidyEveryMs);
  const close = () => {
    clearInterval(timer);
    truncateLog(sqlite);
    sqlite.close();
  };
  return { write: prepareWrite(sqlite), tidying, close };
};

const prepareWrite = (sqlite: Sqlite): ((entriesJson: string) => FromWriter) => {
  const writeBatch = prepareWriteBatch(sqlite);
  const exhaustedOffers = prepareExhaustedOffers(sqlite);
  return (entriesJson) => {
    const batch = unlessTrouble(() => writeBatch(JSON.parse(entriesJson)));
    if ("refused" in batch) return { kind: "refused", ...batch.refused };
    // Committed: a disk that fails from here on must not make anybody believe the opposite.
    const exhausted = unlessTrouble(() => exhaustedOffers.among(batch.charged));
    return {
      kind: "recorded",
      resultsJson: JSON.stringify(batch.results),
      exhausted: "refused" in exhausted ? [] : exhausted,
    };
  };
};

const unlessTrouble = <T extends BatchResult | OfferId[]>(work: () => T) => {
  try {
    return work();
  } catch (error) {
    const refused = storageTrouble(error);
    if (refused === null) throw error;
    return { refused };
  }
};

if (parentPort) run(parentPort, workerData);
