import { randomUUIDv7 } from "node:crypto";
import type { EventId } from "@offers/contract/ids";
import type { Database as Sqlite } from "better-sqlite3";
import type { JournalEntry, JournalOutcome } from "../../core/journal-entry.ts";
import { type CounterFold, createCounterFold, prepareCounterFlush } from "../journal/counter-fold.ts";
import { prepareRecordEntry } from "../journal/record-entry.ts";
import { prepareCharge } from "./charge.ts";
import { prepareEventRows } from "./event-rows.ts";
import { storageTrouble } from "./storage-trouble.ts";
import { rollBack, takeWriteLock } from "./write-lock.ts";

/** Of one entry: what became of it, or the message of the error that it alone caused. */
export type EntryResult = { outcome: JournalOutcome } | { failure: string };

export type BatchResult = {
  /** In the order of the entries. */
  results: EntryResult[];
  /** Offers whose caps were asked for money, each with the UTC date of the last time. */
  charged: ReadonlyMap<string, string>;
};

/** How long a batch waits for another process's write lock. */
const lockWaitMs = 1000;

/**
 * Prepares what writes a batch of entries in one transaction, and so one fsync, together with the counters they
 * move. When the lock, the disk or the file refuses, it throws that error and nothing is written. Any other error
 * is one entry's own: the batch is undone and done again without that entry.
 */
export function prepareWriteBatch(sqlite: Sqlite): (entries: readonly JournalEntry[]) => BatchResult {
  const record = prepareRecord(sqlite);
  const flush = prepareCounterFlush(sqlite);
  const savepoint = sqlite.prepare("savepoint entry");
  const undo = sqlite.prepare("rollback to savepoint entry");
  const release = sqlite.prepare("release savepoint entry");

  const commit = (recordAll: (batch: Batch) => EntryResult[]): BatchResult => {
    const batch: Batch = { fold: createCounterFold(), charged: new Map() };
    takeWriteLock(sqlite, lockWaitMs);
    try {
      const results = recordAll(batch);
      flush(batch.fold);
      sqlite.exec("commit");
      return { results, charged: batch.charged };
    } catch (error) {
      rollBack(sqlite);
      throw error;
    }
  };

  const recordAlone = (entry: JournalEntry, batch: Batch): EntryResult => {
    const fold = createCounterFold();
    savepoint.run();
    try {
      const outcome = record(entry, { fold, charged: batch.charged });
      batch.fold.merge(fold);
      return { outcome };
    } catch (error) {
      if (storageTrouble(error) !== null || !sqlite.inTransaction) throw error;
      undo.run();
      return { failure: error instanceof Error ? error.message : String(error) };
    } finally {
      if (sqlite.inTransaction) release.run();
    }
  };

  return (entries) => {
    try {
      return commit((batch) => entries.map((entry) => ({ outcome: record(entry, batch) })));
    } catch (error) {
      if (storageTrouble(error) !== null) throw error;
      return commit((batch) => entries.map((entry) => recordAlone(entry, batch)));
    }
  };
}

type Batch = { fold: CounterFold; charged: Map<string, string> };

const prepareRecord = (sqlite: Sqlite): ((entry: JournalEntry, batch: Batch) => JournalOutcome) => {
  const rows = prepareEventRows(sqlite);
  const charge = prepareCharge(sqlite);
  const recordEntry = prepareRecordEntry(sqlite);
  return (entry, { fold, charged }) =>
    recordEntry(entry, {
      rows,
      fold,
      charge: (bill) => {
        charged.set(bill.offerId, bill.day);
        return charge(bill);
      },
      newEventId,
    });
};

/** In order of time, so that the primary key of a growing table is written at its end only. */
const newEventId = (): EventId => `evt_${randomUUIDv7().replaceAll("-", "")}` as EventId;
