import type { GrantUsedEntry, KeyUsedEntry } from "../../core/journal-entry.ts";
import type { Journal } from "./journal.ts";

const minuteMs = 60_000;

/** Notes when keys or connections were last used, each at most once a minute, without anybody waiting for it. */
export class LastUses {
  readonly #journal: Pick<Journal, "append">;
  readonly #entryOf: (id: string, at: number) => KeyUsedEntry | GrantUsedEntry;
  /** Bounded by the number of keys: only those that were let in are noted. */
  readonly #notedAt = new Map<string, number>();

  constructor(
    journal: Pick<Journal, "append">,
    entryOf: (id: string, at: number) => KeyUsedEntry | GrantUsedEntry,
  ) {
    this.#journal = journal;
    this.#entryOf = entryOf;
  }

  /** `at`: milliseconds since the epoch. */
  note(id: string, at: number): void {
    const before = this.#notedAt.get(id);
    // A clock that was set back counts as a minute that has passed.
    if (before !== undefined && at >= before && at - before < minuteMs) return;
    this.#notedAt.set(id, at);
    // A disk that refuses now is asked again at the next use.
    this.#journal.append(this.#entryOf(id, at)).catch(() => this.#notedAt.delete(id));
  }
}
