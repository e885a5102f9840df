import type pg from "pg";
import type { Cell } from "../../core/cell.ts";
import type { JournalEntry } from "../../core/journal-entry.ts";
import { dayNumber } from "../../core/utc-day.ts";
import type { AnswerFact } from "../journal/recording.ts";
import { type Decision, decide } from "./decide.ts";
import { rememberCells } from "./known-cells.ts";
import { rememberOffers } from "./known-offers.ts";
import { rememberPublishers } from "./known-publishers.ts";
import { NotReadAhead } from "./not-read-ahead.ts";
import { type ReachOptions, reachOf } from "./reach.ts";
import { readAhead } from "./read-ahead.ts";
import { type RequestParts, readParts } from "./read-parts.ts";
import type { ReadAhead, StoredFact } from "./read-rows.ts";

/** What was decided in a transaction that is open, and what it takes to write it. */
export type OpenDecision = {
  decision: Decision;
  cellOf: (number: number) => Cell;
  publisherOf: (websiteId: number) => number;
};

/** So often a batch is read anew because the rules have asked for more: for cells, for an offer's new model, for a day. */
const mostReadings = 8;

/**
 * Prepares reading and deciding, with a memory of what never changes. The transaction is left open behind what was decided,
 * and undone where it rejects.
 */
export function prepareDeciding(
  client: pg.Client,
): (entries: readonly JournalEntry[]) => Promise<OpenDecision> {
  const offers = rememberOffers(client);
  const cells = rememberCells(client);
  const publishers = rememberPublishers(client);
  // Where it fails, the connection is gone, and the transaction with it.
  const rollBack = async (): Promise<void> => void (await client.query("rollback").catch(() => undefined));

  const read = async (entries: readonly JournalEntry[], wide: ReachOptions["wide"]) => {
    await offers.lookUp(entries);
    const reach = reachOf(entries, { modelOf: (number) => offers.offerOf(number)?.model ?? null, wide });
    await offers.openSpends(reach);
    const rows = await readAhead(client, reach, { offerOf: offers.offerOf, isWide: wide !== null });
    for (const [number, offer] of rows.offers) if (offer !== null) offers.note(number, offer.payout_model);
    publishers.note(rows.websites);
    const long = [...rows.facts].flatMap(([request, facts]) => (facts === null ? [request] : []));
    const parts = await readParts(client, new Set(long), entries);
    await cells.lookUp(cellsOf(rows, parts));
    return { rows, parts };
  };
  /** Null: some cells had to be opened first, and the transaction was undone for it. */
  const decideWith = async (
    entries: readonly JournalEntry[],
    { rows, parts }: { rows: ReadAhead; parts: ReadonlyMap<string, RequestParts> },
  ): Promise<OpenDecision | null> => {
    const ofBatch = cells.forBatch();
    const { cellOf, missing } = ofBatch;
    const decision = decide(entries, { read: rows, parts, cells: ofBatch });
    if (missing.size > 0) {
      await rollBack();
      await cells.open(missing.values());
      return null;
    }
    await publishers.lookUp(decision.fold.sums().map(({ cell }) => cellOf(cell).websiteId));
    return { decision, cellOf, publisherOf: publishers.of };
  };

  return async (entries) => {
    let wide: ReachOptions["wide"] = null;
    for (let left = mostReadings; left > 0; left -= 1) {
      let known: Awaited<ReturnType<typeof read>> | null = null;
      try {
        known = await read(entries, wide);
        const decided = await decideWith(entries, known);
        if (decided !== null) return decided;
      } catch (error) {
        await rollBack();
        if (!(error instanceof NotReadAhead) || known === null) throw error;
        offers.forget();
        const { cellOf } = cells.forBatch();
        const websites = [...cellsOf(known.rows, known.parts)].map((number) => cellOf(number).websiteId);
        wide = widened(wide, error, { days: daysOf(entries, known), websites: new Set(websites) });
      }
    }
    throw new Error("the rules ask for other rows each time");
  };
}

/** @throws Error when all that can be asked for was read, and it was not enough. */
const widened = (
  wide: ReachOptions["wide"],
  error: NotReadAhead,
  found: NonNullable<ReachOptions["wide"]>,
): NonNullable<ReachOptions["wide"]> => {
  if (wide === null) return found;
  const days = new Set([...wide.days, ...found.days]);
  const websites = new Set([...wide.websites, ...found.websites]);
  if (days.size === wide.days.size && websites.size === wide.websites.size)
    throw new Error(error.message, { cause: error });
  return { days, websites };
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

/** The days of the entries, and of whatever their requests have brought before. */
const daysOf = (
  entries: readonly JournalEntry[],
  { rows, parts }: { rows: ReadAhead; parts: ReadonlyMap<string, RequestParts> },
): Set<number> => {
  const days = new Set<number>();
  const addFact = ({ fact }: StoredFact) => days.add(dayNumber(fact.at));
  for (const entry of entries) if ("visit" in entry) days.add(dayNumber(entry.visit.at));
  for (const stored of rows.facts.values()) stored?.forEach(addFact);
  for (const { firsts } of parts.values()) for (const stored of firsts.values()) stored.forEach(addFact);
  return days;
};
