import type { CallsRefusedEntry } from "../../core/journal-entry.ts";
import type { RefusedCall } from "../../core/refused-call.ts";
import type { Journal } from "./journal.ts";

/** However many calls are refused, they are written once a second, */
const flushEveryMs = 1000;

/** and as so many rows at the most: what a flood brings beyond them in that second is not noted. */
const waitingMost = 100;

/** Notes refused calls of pages, without anybody waiting for it. */
export class RefusedCalls {
  readonly #journal: Pick<Journal, "append">;
  #waiting = new Map<string, CallsRefusedEntry>();
  #timer: NodeJS.Timeout | undefined;

  constructor(journal: Pick<Journal, "append">) {
    this.#journal = journal;
  }

  /** Notes a call at `at` (milliseconds since the epoch); it is in the journal a second later. */
  note(refused: RefusedCall, at: number): void {
    const key = `${refused.websiteId}\n${refused.code}\n${refused.origin}`;
    const before = this.#waiting.get(key);
    if (before !== undefined) {
      before.calls += 1;
      before.at = at;
      return;
    }
    if (this.#waiting.size >= waitingMost) return;
    this.#waiting.set(key, { kind: "calls_refused", ...refused, at, calls: 1 });
    this.#timer ??= setTimeout(() => void this.flush(), flushEveryMs).unref();
  }

  /** Hands all that was noted to the journal; what it refuses is lost, for a page that is wrong calls again. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const entries = [...this.#waiting.values()];
    this.#waiting.clear();
    await Promise.allSettled(entries.map((entry) => this.#journal.append(entry)));
  }
}
