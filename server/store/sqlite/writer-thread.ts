import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import type { RanOut } from "../../core/budget.ts";
import type { Log } from "../../core/log-events.ts";
import { entriesOf } from "../journal/entry-text.ts";
import { prepareAnswering } from "../threads/answer-questions.ts";
import type { Reply } from "../threads/start-thread.ts";
import { prepareLogTidying } from "./log-tidying.ts";
import { openSqlite } from "./open-sqlite.ts";
import { rememberFiles } from "./same-files.ts";
import { storageTrouble } from "./storage-trouble.ts";
import { truncateLog } from "./truncate-log.ts";
import { type BatchWriter, prepareBatchWriter } from "./write-batch.ts";
import type { BatchAnswer, ToldByWriter, WriterOptions, WriterQuestions } from "./writer-questions.ts";

const tidyEveryMs = 500;

/**
 * The thread that writes the journal: it may wait for the disk, the main thread may not. It has nothing but prepared
 * statements; what is rare is done by the reader thread, which has kysely.
 */
const run = (port: MessagePort, options: WriterOptions): void => {
  const log = (told: ToldByWriter) => port.postMessage({ told } satisfies Reply<ToldByWriter>);
  let writing: Writing | null = null;
  const answer = prepareAnswering<WriterQuestions>(
    port,
    {
      open: () => {
        writing = startWriting(options, log);
        return null;
      },
      batch: ({ entries, kept, lockWaitMs }) => {
        if (writing === null) throw new Error("a batch came before the database was opened");
        return writing.write(entries, kept, lockWaitMs);
      },
      close: () => {
        writing?.close();
        return null;
      },
    },
    storageTrouble,
  );
  port.on("message", answer);
};

type Writing = {
  write: (entries: string, kept: number, lockWaitMs: number) => BatchAnswer;
  close: () => void;
};

const startWriting = (options: WriterOptions, log: Log): Writing => {
  // Nothing waits inside SQLite: a batch does its own waiting for the lock.
  const sqlite = openSqlite({ ...options, busyTimeoutMs: 0, cacheKibibytes: 16_384 });
  const tidying = prepareLogTidying(sqlite, log);
  const batches = prepareBatchWriter(sqlite);
  // Preparing has read the schema, so the log is open by now.
  const requireSameFiles = rememberFiles(sqlite.name, log);
  const timer = setInterval(() => {
    unlessTrouble(() => requireSameFiles());
    unlessTrouble(tidying.tidy);
  }, tidyEveryMs);
  return {
    write: (entries, kept, lockWaitMs) => {
      requireSameFiles();
      const written = batches.write(entriesOf(entries), kept, lockWaitMs);
      // And once more after the commit: whatever is acknowledged stands in the files of these names.
      requireSameFiles({ isCommitted: true });
      tidying.wrote();
      return { writtenJson: JSON.stringify(written), exhausted: exhaustedBy(batches) };
    },
    close: () => {
      clearInterval(timer);
      truncateLog(sqlite);
      sqlite.close();
    },
  };
};

/** The batch is committed: a disk that fails from here on must not make anybody believe the opposite. */
const exhaustedBy = (batches: BatchWriter): RanOut[] => unlessTrouble(batches.takeExhausted) ?? [];

/** Null when the storage refuses; any other error is thrown. */
const unlessTrouble = <T>(work: () => T): T | null => {
  try {
    return work();
  } catch (error) {
    if (storageTrouble(error) === null) throw error;
    return null;
  }
};

if (parentPort) run(parentPort, workerData);
