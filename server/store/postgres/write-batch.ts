import type pg from "pg";
import type { RanOut } from "../../core/budget.ts";
import type { JournalEntry, JournalOutcome } from "../../core/journal-entry.ts";
import { oneAfterAnother } from "../../core/one-after-another.ts";
import type { Written } from "../journal/journal.ts";
import { prepareDeciding } from "./decide-open.ts";
import { type Failing, findFailing, type Placed } from "./find-failing.ts";
import { type Fence, fenceStatement, flush, flushStatements, tryOut } from "./flush.ts";
import { prepareRanOut } from "./ran-out.ts";
import { storageTrouble } from "./storage-trouble.ts";

/** What became of a batch, and the numbers of offers that have run out by it. */
export type DecidedBatch = { written: Written; exhausted: RanOut[] };

export type PostgresBatchWriter = {
  /**
   * Writes the entries in one transaction, together with the counters they move; the first `kept` are those whose outcome
   * nobody reads. Rejects when the database, or the way to it, refuses: nothing is written then, but with CommitUnknown nobody
   * can tell. Any other error is one entry's own: the batch is undone and done again without that entry.
   */
  write(entries: readonly JournalEntry[], kept: number): Promise<DecidedBatch>;
  /** Writes all of them in one transaction, or rejects with what one of them fails by, and nothing is written. */
  writeAll(entries: readonly JournalEntry[]): Promise<void>;
};

/**
 * Nobody can tell whether a batch was committed. With `lost` the connection went: the node's row says so to whoever asks later,
 * and what was decided holds if it was. With `not_replicated` it was committed, and may be lost with the primary all the same.
 */
export class CommitUnknown extends Error {
  override readonly name = "CommitUnknown";
  readonly code = "08007";
  readonly reason: "lost" | "not_replicated";
  /** As the fence has numbered it; null: there is none. */
  readonly batch: number | null;
  readonly decided: DecidedBatch;

  constructor(reason: CommitUnknown["reason"], batch: number | null, decided: DecidedBatch) {
    super(`nobody can tell whether the batch was committed (${reason})`);
    this.reason = reason;
    this.batch = batch;
    this.decided = decided;
  }
}

/** So often a batch is decided anew because others have changed what it had read. */
const mostConflicts = 5;

/** "canceling wait for synchronous replication", a notice: the commit is answered as if nothing were wrong. */
export const waitCancelled = "01000";

/**
 * Prepares a connection for writing batches: it belongs to the writer alone, which writes one batch after the other. It should
 * have been made with `pipeline`, or each statement waits for the answer to the one before.
 */
export function prepareBatchWriter(
  client: pg.Client,
  { fence }: { fence?: Fence } = {},
): PostgresBatchWriter {
  const decideOpen = prepareDeciding(client);
  const ranOut = prepareRanOut(client);
  let isWaitCancelled = false;
  client.on("notice", ({ code }) => {
    if (code === waitCancelled) isWaitCancelled = true;
  });

  const decided = async (entries: readonly JournalEntry[]) => {
    const { decision, ...known } = await decideOpen(entries);
    try {
      return { decision, statements: flushStatements(decision, known) };
    } catch (error) {
      // A value that no column takes fails here, with nothing sent.
      await client.query("rollback");
      throw error;
    }
  };
  const writeOnce = async (entries: readonly JournalEntry[]): Promise<Ended | null> => {
    const { decision, statements } = await decided(entries);
    const batch = fence?.batch() ?? null;
    const fencing = fence === undefined || batch === null ? null : fenceStatement(fence, batch);
    isWaitCancelled = false;
    const end = await flush(client, { fence: fencing, statements }, () => isWaitCancelled);
    if (end === "again") return null;
    const { outcomes } = decision;
    if (end === "committed")
      return { outcomes, batch, unknown: null, exhausted: await ranOut(decision.budgets) };
    const { offers: exhausted } = decision.budgets.takeRanOut();
    return { outcomes, batch, unknown: isWaitCancelled ? "not_replicated" : "lost", exhausted };
  };
  /** Writes all of the entries, or none and rejects. */
  const writeTogether = async (entries: readonly JournalEntry[]): Promise<Ended> => {
    for (let left = mostConflicts; left > 0; left -= 1) {
      const ended = await writeOnce(entries);
      if (ended !== null) return ended;
    }
    throw new TooManyConflicts("others have changed the same rows each time");
  };
  const tryEntries = async (entries: readonly JournalEntry[]): Promise<void> => {
    const { statements } = await decided(entries);
    await tryOut(client, statements);
  };
  const write = async (entries: readonly JournalEntry[], kept: number): Promise<DecidedBatch> => {
    const failures: Failing[] = [];
    let left: readonly Placed[] = entries.map((entry, at) => ({ entry, at }));
    for (;;) {
      try {
        const ended = await writeTogether(left.map(({ entry }) => entry));
        const written = writtenOf({ entries: entries.length, kept }, { left, ended, failures });
        const decided = { written, exhausted: ended.exhausted };
        if (ended.unknown !== null) throw new CommitUnknown(ended.unknown, ended.batch, decided);
        return decided;
      } catch (error) {
        if (storageTrouble(error) !== null) throw error;
        const failing = await findFailing(left, error, tryEntries);
        // Together they fail, and each alone does not: nothing that is known of here.
        if (failing.length === 0) throw error;
        failures.push(...failing);
        const failed = new Set(failing.map(({ at }) => at));
        left = left.filter(({ at }) => !failed.has(at));
      }
    }
  };
  const writeAll = async (entries: readonly JournalEntry[]): Promise<void> => {
    const { unknown, batch, outcomes, exhausted } = await writeTogether(entries);
    if (unknown === null) return;
    throw new CommitUnknown(unknown, batch, { written: { outcomes, failures: [] }, exhausted });
  };
  /** One batch after the other, whoever asks: a connection has one transaction at a time. */
  const inTurn = oneAfterAnother();
  return {
    write: (entries, kept) => inTurn(() => write(entries, kept)),
    writeAll: (entries) => inTurn(() => writeAll(entries)),
  };
}

/** Others were quicker each time that a batch was decided: as with a conflict that the server has solved against us. */
class TooManyConflicts extends Error {
  override readonly name = "TooManyConflicts";
  readonly code = "40001";
}

/** `unknown`: why nobody can tell whether it was committed; null: it was. */
type Ended = {
  outcomes: JournalOutcome[];
  batch: number | null;
  unknown: CommitUnknown["reason"] | null;
  exhausted: RanOut[];
};

const writtenOf = (
  { entries, kept }: { entries: number; kept: number },
  { left, ended, failures }: { left: readonly Placed[]; ended: Ended; failures: readonly Failing[] },
): Written => {
  const outcomes = new Array<JournalOutcome | null>(entries).fill(null);
  for (const [index, { at }] of left.entries()) outcomes[at] = ended.outcomes[index] ?? null;
  return {
    outcomes: outcomes.slice(kept),
    failures: failures.toSorted((one, other) => one.at - other.at),
  };
};
