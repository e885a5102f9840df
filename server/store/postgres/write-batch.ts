import type pg from "pg";
import type { JournalEntry, JournalOutcome } from "../../core/journal-entry.ts";
import { dayNumber } from "../../core/utc-day.ts";
import type { Written } from "../journal/journal.ts";
import type { AnswerFact } from "../journal/recording.ts";
import { type BrokeAdvertiser, dearerThan, type PricedOffer } from "../rows/budgets.ts";
import { type Decision, decide, EntryFailed } from "./decide.ts";
import { type Fence, type FlushEnd, fenceStatement, flush, flushStatements } from "./flush.ts";
import { rememberCells } from "./known-cells.ts";
import { ask, rememberOffers } from "./known-offers.ts";
import { rememberPublishers } from "./known-publishers.ts";
import { NotReadAhead } from "./not-read-ahead.ts";
import { type ReachOptions, reachOf } from "./reach.ts";
import { type ReadAhead, readAhead, type StoredFact } from "./read-ahead.ts";
import { type RequestParts, readParts } from "./read-parts.ts";
import { storageTrouble } from "./storage-trouble.ts";

/** What became of a batch, and the numbers of offers that have run out by it. */
export type DecidedBatch = { written: Written; exhausted: number[] };

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
/** And so often because the rules have asked for more than was read: for cells, for an offer's new model, for a day. */
const mostReadings = 8;

/**
 * Prepares a connection for writing batches: it belongs to the writer alone, which writes one batch after the other. It should
 * have been made with `pipeline`, or each statement waits for the answer to the one before.
 */
export function prepareBatchWriter(
  client: pg.Client,
  { fence }: { fence?: Fence } = {},
): PostgresBatchWriter {
  const offers = rememberOffers(client);
  const cells = rememberCells(client);
  const publishers = rememberPublishers(client);
  const told = new Map<string, number>();
  let isWaitCancelled = false;
  client.on("notice", ({ code }) => {
    // "canceling wait for synchronous replication": the commit is answered as if nothing were wrong.
    if (code === "01000") isWaitCancelled = true;
  });

  /** Where it fails, the connection is gone, and the transaction with it. */
  const rollBack = async (): Promise<void> => void (await client.query("rollback").catch(() => undefined));
  /** Reads and decides in a transaction that is left open; null: it was undone, for something had to be opened first. */
  const decideOnce = async (
    entries: readonly JournalEntry[],
    wide: ReachOptions["wide"],
  ): Promise<Decided | { widened: ReachOptions["wide"] }> => {
    await offers.lookUp(entries);
    const reach = reachOf(entries, { modelOf: (number) => offers.offerOf(number)?.model ?? null, wide });
    await offers.openSpends(reach);
    let read: ReadAhead | null = null;
    try {
      read = await readAhead(client, reach, { offerOf: offers.offerOf, isWide: wide !== null });
      for (const [number, offer] of read.offers) if (offer !== null) offers.note(number, offer.payout_model);
      publishers.note(read.websites);
      const long = [...read.facts].flatMap(([request, facts]) => (facts === null ? [request] : []));
      const parts = await readParts(client, new Set(long), entries);
      await cells.lookUp(cellsOf(read, parts));
      const ofBatch = cells.forBatch();
      const decision = decide(entries, { read, parts, cells: ofBatch });
      if (ofBatch.missing.size === 0) {
        await publishers.lookUp([...decision.fold.sums()].map(({ cell }) => ofBatch.cellOf(cell).websiteId));
        return { decision, cellOf: ofBatch.cellOf };
      }
      await rollBack();
      await cells.open(ofBatch.missing.values());
      return { widened: wide };
    } catch (error) {
      await rollBack();
      if (!(error instanceof NotReadAhead) || read === null) throw error;
      offers.forget();
      const days = new Set([...(wide?.days ?? []), ...daysOf(entries, read)]);
      // All that can be asked for was read, and it was not enough.
      if (wide !== null && days.size === wide.days.size) throw new Error(error.message, { cause: error });
      return { widened: { days } };
    }
  };
  const decideOpen = async (entries: readonly JournalEntry[]): Promise<Decided> => {
    let wide: ReachOptions["wide"] = null;
    for (let left = mostReadings; left > 0; left -= 1) {
      const decided: Decided | { widened: ReachOptions["wide"] } = await decideOnce(entries, wide);
      if ("decision" in decided) return decided;
      wide = decided.widened;
    }
    throw new Error("the rules ask for other rows each time");
  };

  /** Writes all of the entries or none; on trial it takes back what it has written. */
  const transact = async (
    entries: readonly JournalEntry[],
    { isTrial }: { isTrial: boolean },
  ): Promise<{ outcomes: JournalOutcome[]; end: Ended; exhausted: number[] }> => {
    for (let left = mostConflicts; ; left -= 1) {
      const { decision, cellOf } = await decideOpen(entries);
      const batch = fence === undefined ? null : fence.batch();
      const statements = flushStatements(decision, { cellOf, publisherOf: publishers.of });
      isWaitCancelled = false;
      if (isTrial) {
        await tryOut(client, statements);
        return { outcomes: decision.outcomes, end: { batch, reason: null }, exhausted: [] };
      }
      const ended: FlushEnd = await flush(
        client,
        { fence: fence === undefined || batch === null ? null : fenceStatement(fence, batch), statements },
        () => isWaitCancelled,
      );
      if (ended === "again") {
        if (left === 0) throw new TooManyConflicts("others have changed the same rows each time");
        continue;
      }
      const reason = ended === "committed" ? null : isWaitCancelled ? "not_replicated" : "lost";
      const { offers: ranOut, broke } = decision.budgets.takeRanOut();
      const others = reason === null ? await siblingsOf(broke) : [];
      const exhausted = [...new Set([...ranOut, ...others])];
      return { outcomes: decision.outcomes, end: { batch, reason }, exhausted };
    }
  };
  /** Other offers of advertisers whose balance has run out, told once for each sum that was paid in. */
  const siblingsOf = async (broke: readonly BrokeAdvertiser[]): Promise<number[]> => {
    const asked = broke.filter(({ id, depositedMicros }) => told.get(id) !== depositedMicros);
    if (asked.length === 0) return [];
    try {
      const siblings = await ask<PricedOffer & { advertiser_id: string }>(client, {
        name: "read_siblings",
        text: `select o.advertiser_id, o.number, o.payout_model, o.payout_micros
          from unnest($1::text[]) k(id) join offer o on o.advertiser_id = k.id`,
        values: [asked.map(({ id }) => id)],
      });
      for (const { id, depositedMicros } of asked) told.set(id, depositedMicros);
      return asked.flatMap(({ id, leftMicros }) =>
        dearerThan(
          leftMicros,
          siblings.filter(({ advertiser_id }) => advertiser_id === id),
        ),
      );
    } catch {
      // The batch is committed: a connection that fails from here on must not make anybody believe the opposite.
      return [];
    }
  };

  /** Those that fail by themselves, found by trying halves; the connection has no transaction open. */
  const findFailing = async (entries: readonly Placed[]): Promise<Failing[]> => {
    const [first] = entries;
    if (first === undefined) return [];
    try {
      await transact(
        entries.map(({ entry }) => entry),
        { isTrial: true },
      );
      return [];
    } catch (error) {
      if (storageTrouble(error) !== null) throw error;
      if (entries.length === 1) return [{ at: first.at, message: messageOf(error) }];
      const half = Math.ceil(entries.length / 2);
      return [...(await findFailing(entries.slice(0, half))), ...(await findFailing(entries.slice(half)))];
    }
  };
  const failingOf = async (entries: readonly Placed[], error: unknown): Promise<Failing[]> => {
    if (!(error instanceof EntryFailed)) return findFailing(entries);
    const placed = entries[error.at];
    return placed === undefined ? [] : [{ at: placed.at, message: error.message }];
  };

  return {
    write: async (entries, kept) => {
      const failures: Failing[] = [];
      let left: readonly Placed[] = entries.map((entry, at) => ({ entry, at }));
      for (;;) {
        try {
          const { outcomes, end, exhausted } = await transact(
            left.map(({ entry }) => entry),
            {
              isTrial: false,
            },
          );
          const written = writtenOf(entries.length, kept, { left, outcomes, failures });
          if (end.reason !== null) throw new CommitUnknown(end.reason, end.batch, { written, exhausted });
          return { written, exhausted };
        } catch (error) {
          if (storageTrouble(error) !== null) throw error;
          const failing = await failingOf(left, error);
          // Together they fail, and each alone does not: nothing that is known of here.
          if (failing.length === 0) throw error;
          failures.push(...failing);
          const failed = new Set(failing.map(({ at }) => at));
          left = left.filter(({ at }) => !failed.has(at));
        }
      }
    },
    writeAll: async (entries) => {
      const { end } = await transact(entries, { isTrial: false });
      if (end.reason === null) return;
      throw new CommitUnknown(end.reason, end.batch, {
        written: { outcomes: [], failures: [] },
        exhausted: [],
      });
    },
  };
}

/** Others were quicker each time that a batch was decided: as with a conflict that the server has solved against us. */
class TooManyConflicts extends Error {
  override readonly name = "TooManyConflicts";
  readonly code = "40001";
}

type Placed = { entry: JournalEntry; at: number };
type Failing = Written["failures"][number];
type Decided = {
  decision: Decision;
  cellOf: ReturnType<ReturnType<typeof rememberCells>["forBatch"]>["cellOf"];
};
/** `reason`: why nobody can tell whether it was committed; null: it was. */
type Ended = { batch: number | null; reason: CommitUnknown["reason"] | null };

const writtenOf = (
  count: number,
  kept: number,
  { left, outcomes, failures }: { left: readonly Placed[]; outcomes: JournalOutcome[]; failures: Failing[] },
): Written => {
  const byPlace = new Array<JournalOutcome | null>(count).fill(null);
  for (const [index, { at }] of left.entries()) byPlace[at] = outcomes[index] ?? null;
  return {
    outcomes: byPlace.slice(kept),
    failures: failures.toSorted((one, other) => one.at - other.at),
  };
};

const tryOut = async (client: pg.Client, statements: Parameters<typeof flush>[1]["statements"]) => {
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.query("rollback");
  }
};

/** The cells of the facts that were read, and of the offers that they say were handed out. */
const cellsOf = ({ facts }: ReadAhead, parts: ReadonlyMap<string, RequestParts>): Set<number> => {
  const numbers = new Set<number>();
  const addOffers = (offers: AnswerFact["offers"]) => {
    for (const { cell } of offers ?? []) numbers.add(cell);
  };
  const addFact = ({ fact }: StoredFact) => {
    numbers.add(fact.cell);
    addOffers(fact.offers);
  };
  for (const stored of facts.values()) stored?.forEach(addFact);
  for (const { answers, firsts } of parts.values()) {
    for (const { offers } of answers) addOffers(offers);
    for (const stored of firsts.values()) stored.forEach(addFact);
  }
  return numbers;
};

const daysOf = (entries: readonly JournalEntry[], read: ReadAhead): Set<number> => {
  const days = new Set<number>();
  for (const entry of entries) if ("visit" in entry) days.add(dayNumber(entry.visit.at));
  for (const facts of read.facts.values()) for (const { fact } of facts ?? []) days.add(dayNumber(fact.at));
  return days;
};

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
