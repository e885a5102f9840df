import { type CounterFold, createCounterFold } from "../../core/counter-fold.ts";
import type { JournalEntry, JournalOutcome } from "../../core/journal-entry.ts";
import { wholeShare } from "../../core/revenue-share.ts";
import { recordEntry } from "../journal/record-entry.ts";
import type { Cells } from "../journal/recording.ts";
import { type BillLine, type Budgets, createBudgets } from "../rows/budgets.ts";
import { NotReadAhead, readOf } from "./not-read-ahead.ts";
import { overlayBilled } from "./overlay-billed.ts";
import { overlayFacts } from "./overlay-facts.ts";
import { overlayAnswers, overlayNotes } from "./overlay-notes.ts";
import { overlaySessions } from "./overlay-sessions.ts";
import type { RequestParts } from "./read-parts.ts";
import { type ReadAhead, spendKey } from "./read-rows.ts";

/** What became of the entries of a batch, and everything that it changes; nothing of it is written yet. */
export type Decision = {
  outcomes: JournalOutcome[];
  fold: CounterFold;
  budgets: Budgets;
  lines: BillLine[];
  facts: ReturnType<ReturnType<typeof overlayFacts>["changes"]>;
  billed: ReturnType<ReturnType<typeof overlayBilled>["changes"]>;
  sessions: ReturnType<ReturnType<typeof overlaySessions>["changes"]>;
  answers: ReturnType<ReturnType<typeof overlayAnswers>["changes"]>;
  notes: ReturnType<ReturnType<typeof overlayNotes>["changes"]>;
};

/** A rule has thrown over the entry at this place of the batch: it is the entry's own fault. */
export class EntryFailed extends Error {
  override readonly name = "EntryFailed";
  readonly at: number;

  constructor(at: number, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.at = at;
  }
}

/**
 * Decides in memory what becomes of the entries, by the journal's own rules and what was read ahead for them.
 * @throws NotReadAhead when the rules ask for more than was read; EntryFailed when they throw.
 */
export function decide(
  entries: readonly JournalEntry[],
  { read, parts, cells }: { read: ReadAhead; parts: ReadonlyMap<string, RequestParts>; cells: Cells },
): Decision {
  const facts = overlayFacts(read.facts, parts);
  const billed = overlayBilled(read);
  const sessions = overlaySessions(read);
  const answers = overlayAnswers(read.answers);
  const notes = overlayNotes(read);
  const fold = createCounterFold();
  const lines: BillLine[] = [];
  const budgets = createBudgets(
    {
      offer: (number) => readOf(read.offers, number, "offer"),
      spent: (subject, day) => readOf(read.spends, spendKey(subject, day), "spend"),
      // A website that the catalogue does not know has no operator who would have kept a part.
      share: (websiteId) => readOf(read.websites, websiteId, "website")?.share ?? wholeShare,
    },
    (line) => lines.push(line),
  );
  const recording = {
    rows: facts.rows,
    cells,
    fold,
    charge: budgets.charge,
    billed: billed.billed,
    sessions: sessions.sessions,
    answers: answers.answers,
    notes: notes.notes,
  };
  const outcomes = entries.map((entry, at) => {
    try {
      return recordEntry(entry, recording);
    } catch (error) {
      throw error instanceof NotReadAhead ? error : new EntryFailed(at, error);
    }
  });
  return {
    ...{ outcomes, fold, budgets, lines },
    facts: facts.changes(),
    billed: billed.changes(),
    sessions: sessions.changes(),
    answers: answers.changes(),
    notes: notes.changes(),
  };
}
