import type { Journal } from "./journal.ts";

const minuteMs = 60_000;

/** Notes when keys were last used, each at most once a minute, without anybody waiting for it. */
export class KeyUses {
  readonly #journal: Pick<Journal, "append">;
  /** Bounded by the number of keys: only those that were let in are noted. */
  readonly #notedAt = new Map<string, number>();

  constructor(journal: Pick<Journal, "append">) {
    this.#journal = journal;
  }

  /** `at`: milliseconds since the epoch. */
  note(keyId: string, at: number): void {
    const before = this.#notedAt.get(keyId);
    // A clock that was set back counts as a minute that has passed.
    if (before !== undefined && at >= before && at - before < minuteMs) return;
    this.#notedAt.set(keyId, at);
    // A disk that refuses now is asked again at the next use.
    this.#journal.append({ kind: "key_used", keyId, at }).catch(() => this.#notedAt.delete(keyId));
  }
}
