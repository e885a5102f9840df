import type { JournalEntry, JournalOutcome } from "../../core/journal-entry.ts";
import { entriesText } from "./entry-text.ts";
import type { Written } from "./journal.ts";

/** A batch and what became of it; the first `kept` of its entries are those whose outcome nobody reads. */
export type DecidedBatch = { entries: readonly JournalEntry[]; kept: number; written: Written };

type Known = { outcome: JournalOutcome | null; failure: string | null };

/**
 * The outcomes of batches that were refused because nobody could tell whether they were committed, and that were. Their
 * callers are told no, but kept entries and click hops come again, in whatever batch: written once more they would be
 * their own repetitions. An entry is known again by its text, which holds its request and its moment, and of a hop its
 * click id.
 */
export class KnownOutcomes {
  readonly #known = new Map<string, Known>();

  add({ entries, kept, written }: DecidedBatch): void {
    const failures = new Map(written.failures.map(({ at, message }) => [at, message]));
    for (const [at, entry] of entries.entries()) {
      this.#known.set(entriesText([entry]), {
        outcome: (at < kept ? null : written.outcomes[at - kept]) ?? null,
        failure: failures.get(at) ?? null,
      });
    }
  }

  /** To be called when none of those entries can come again. */
  clear(): void {
    this.#known.clear();
  }

  /**
   * The entries of a batch that are not known, and so are still to be written. `complete` puts the known outcomes into what
   * came of those, for the whole batch; an outcome is forgotten once it was used.
   */
  without(
    entries: readonly JournalEntry[],
    kept: number,
  ): { entries: readonly JournalEntry[]; kept: number; complete(written: Written): Written } {
    if (this.#known.size === 0) return { entries, kept, complete: (written) => written };
    const texts = entries.map((entry) => entriesText([entry]));
    const found = texts.map((text) => this.#known.get(text));
    const rest = entries.filter((_, at) => found[at] === undefined);
    const restKept = found.slice(0, kept).filter((one) => one === undefined).length;
    return {
      entries: rest,
      kept: restKept,
      complete: (written) => {
        for (const text of texts) this.#known.delete(text);
        return completed(found, kept, { kept: restKept, written });
      },
    };
  }
}

const completed = (
  found: readonly (Known | undefined)[],
  kept: number,
  rest: { kept: number; written: Written },
): Written => {
  const restFailures = new Map(rest.written.failures.map(({ at, message }) => [at, message]));
  const whole: Written = { outcomes: [], failures: [] };
  let next = 0;
  for (const [at, one] of found.entries()) {
    const place = one === undefined ? next : null;
    if (place !== null) next += 1;
    const failure = place === null ? one?.failure : restFailures.get(place);
    const outcome = place === null ? one?.outcome : rest.written.outcomes[place - rest.kept];
    if (failure !== null && failure !== undefined) whole.failures.push({ at, message: failure });
    if (at >= kept) whole.outcomes.push(outcome ?? null);
  }
  return whole;
};
