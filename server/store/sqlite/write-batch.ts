import type { Database as Sqlite } from "better-sqlite3";
import type { RanOut } from "../../core/budget.ts";
import { type CounterFold, createCounterFold } from "../../core/counter-fold.ts";
import type { JournalEntry, JournalOutcome } from "../../core/journal-entry.ts";
import type { Written } from "../journal/journal.ts";
import { recordEntry } from "../journal/record-entry.ts";
import type { Recording } from "../journal/recording.ts";
import { prepareBilledLately } from "./billed-lately.ts";
import { prepareBudgets } from "./budgets.ts";
import { prepareCells } from "./cells.ts";
import { prepareSessions } from "./decline-sessions.ts";
import { prepareFactRows, prepareReadAll } from "./fact-rows.ts";
import { prepareKeptAnswers } from "./kept-answers.ts";
import { prepareNotes } from "./notes.ts";
import { prepareRateCounts } from "./rate-counts.ts";
import { rememberRequests } from "./recent-requests.ts";
import { storageTrouble } from "./storage-trouble.ts";
import { prepareAddingSums, prepareWaitingSums } from "./waiting-sums.ts";
import { rollBack, takeWriteLock } from "./write-lock.ts";

export type BatchWriter = {
  /**
   * Writes the entries in one transaction, and so one fsync, together with the counters they move; the first `kept` are
   * those whose outcome nobody reads. When the lock, the disk or the file refuses, it throws that error and nothing is
   * written; for the lock it waits `lockWaitMs` milliseconds, or one second. Any other error is one entry's own: the
   * batch is undone and done again without that entry. Without entries it writes one page all the same, as the commit of
   * nothing succeeds on a full disk too.
   */
  write(entries: readonly JournalEntry[], kept: number, lockWaitMs?: number): Written;
  /**
   * Writes all of them in one transaction, or throws what one of them fails by, and nothing is written. Nothing of it waits to
   * be added up: there may be far more than a batch has, and none may come after it.
   */
  writeAll(entries: readonly JournalEntry[], lockWaitMs: number): void;
  /** The offers that have run out by what was written since the last time; one of an advertiser without money may stand there twice. */
  takeExhausted(): RanOut[];
};

/** How long a batch waits for another process's write lock where its sender does not say. */
const usualLockWaitMs = 1000;

/** Prepares a connection's statements for writing batches. */
export function prepareBatchWriter(sqlite: Sqlite): BatchWriter {
  const budgets = prepareBudgets(sqlite);
  const cells = prepareCells(sqlite);
  const rows = rememberRequests(prepareFactRows(sqlite), prepareReadAll(sqlite));
  const ports = {
    rows,
    cells,
    charge: budgets.charge,
    billed: prepareBilledLately(sqlite),
    sessions: prepareSessions(sqlite),
    answers: prepareKeptAnswers(sqlite),
    notes: prepareNotes(sqlite),
  } satisfies Omit<Recording, "fold">;
  const count = prepareWaitingSums(sqlite, cells);
  const countAtOnce = prepareAddingSums(sqlite, cells);
  const countRates = prepareRateCounts(sqlite, cells);
  const dataVersion = sqlite.prepare<[], number>("pragma data_version").pluck();
  // SQLite writes the first page for it, though nobody reads that number and it stays what it was.
  const writePage = sqlite.prepare("pragma user_version = 0");
  const commit = sqlite.prepare("commit");
  const savepoint = sqlite.prepare("savepoint entry");
  const undo = sqlite.prepare("rollback to savepoint entry");
  const release = sqlite.prepare("release savepoint entry");
  let seenVersion = -1;

  /** Numbers of cells stand for good once they are committed; the rest is right while nobody else writes. */
  const forgetRows = (): void => {
    budgets.forget();
    rows.forget();
  };
  const forgetAll = (): void => {
    forgetRows();
    cells.forget();
  };
  const transact = (
    recordAll: (fold: CounterFold) => void,
    lockWaitMs = usualLockWaitMs,
    add = count,
  ): void => {
    takeWriteLock(sqlite, lockWaitMs);
    try {
      // Within the lock nobody else can write any more, so what is remembered is right from here to the commit.
      const version = Number(dataVersion.get());
      if (version !== seenVersion) forgetRows();
      seenVersion = version;
      const fold = createCounterFold();
      recordAll(fold);
      budgets.flush();
      add(fold.sums());
      countRates(fold);
      commit.run();
    } catch (error) {
      forgetAll();
      rollBack(sqlite);
      throw error;
    }
  };
  /** What the entry has put in memory is written before its savepoint goes: a later one's failure forgets it. */
  const recordAlone = (entry: JournalEntry, whole: CounterFold): JournalOutcome | Error => {
    const fold = createCounterFold();
    savepoint.run();
    try {
      const outcome = recordEntry(entry, { ...ports, fold });
      budgets.flush();
      whole.addAll(fold);
      return outcome;
    } catch (error) {
      if (storageTrouble(error) !== null || !sqlite.inTransaction) throw error;
      undo.run();
      forgetAll();
      return error instanceof Error ? error : new Error(String(error));
    } finally {
      if (sqlite.inTransaction) release.run();
    }
  };
  const writeEach = (entries: readonly JournalEntry[], kept: number, lockWaitMs?: number): Written => {
    const written: Written = { outcomes: [], failures: [] };
    transact((fold) => {
      for (const [at, entry] of entries.entries()) {
        const outcome = recordAlone(entry, fold);
        const isFailure = outcome instanceof Error;
        if (isFailure) written.failures.push({ at, message: outcome.message });
        if (at >= kept) written.outcomes.push(isFailure ? null : outcome);
      }
    }, lockWaitMs);
    return written;
  };

  const writeTogether = (
    entries: readonly JournalEntry[],
    kept: number,
    lockWaitMs?: number,
    add = count,
  ): JournalOutcome[] => {
    const outcomes: JournalOutcome[] = [];
    transact(
      (fold) => {
        if (entries.length === 0) writePage.run();
        const recording = { ...ports, fold };
        for (const [at, entry] of entries.entries()) {
          const outcome = recordEntry(entry, recording);
          if (at >= kept) outcomes.push(outcome);
        }
      },
      lockWaitMs,
      add,
    );
    return outcomes;
  };

  return {
    write: (entries, kept, lockWaitMs) => {
      try {
        return { outcomes: writeTogether(entries, kept, lockWaitMs), failures: [] };
      } catch (error) {
        if (storageTrouble(error) !== null) throw error;
        return writeEach(entries, kept, lockWaitMs);
      }
    },
    writeAll: (entries, lockWaitMs) => void writeTogether(entries, entries.length, lockWaitMs, countAtOnce),
    takeExhausted: budgets.takeExhausted,
  };
}
