import { cellKey } from "../../core/cell.ts";
import type { ClicksRefusedEntry, RefusedClick } from "../../core/journal-entry.ts";
import { hourNumber } from "../../core/utc-day.ts";
import type { Journal } from "./journal.ts";

/** A flood is as many rows a second as it has places, which add up to one row for each place and hour. */
const flushEveryMs = 1000;

/** Counts clicks that are refused without a fact of their own: nobody may fill the disk by calling a link again and again. */
export class RefusedClicks {
  readonly #journal: Pick<Journal, "append">;
  #waiting = new Map<string, ClicksRefusedEntry>();
  #timer: NodeJS.Timeout | undefined;
  #underway = 0;

  constructor(journal: Pick<Journal, "append">) {
    this.#journal = journal;
  }

  /** Notes a click at `at` (milliseconds since the epoch); it is in the journal a second later. */
  note(click: RefusedClick, at: number): void {
    this.#add({ kind: "clicks_refused", ...click, at, clicks: 1 });
    this.#schedule();
  }

  /**
   * Hands all that was noted to the journal, which keeps it until it is committed; what it turns away waits for the next time.
   */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const entries = [...this.#waiting.values()];
    this.#waiting.clear();
    this.#underway += 1;
    const results = await Promise.allSettled(entries.map((entry) => this.#journal.append(entry)));
    this.#underway -= 1;
    if (this.#waiting.size > 0) this.#schedule();
    for (const [index, { status }] of results.entries()) {
      const entry = entries[index];
      if (status === "rejected" && entry !== undefined) this.#add(entry);
    }
  }

  /** Not while the journal has some: in an outage what comes meanwhile adds up here, and the journal gets no more with each second. */
  #schedule(): void {
    if (this.#underway > 0) return;
    this.#timer ??= setTimeout(() => void this.flush(), flushEveryMs).unref();
  }

  #add(entry: ClicksRefusedEntry): void {
    const { cell, offer, placement, at } = entry;
    const key = `${hourNumber(at)}\n${offer}\n${placement}\n${cellKey(cell)}`;
    const before = this.#waiting.get(key);
    if (before === undefined) this.#waiting.set(key, { ...entry });
    else before.clicks += entry.clicks;
  }
}
