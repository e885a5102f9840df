import type { CallsRefusedEntry } from "../../core/journal-entry.ts";
import {
  otherRefusals,
  type RefusedCall,
  type RefusedSubject,
  refusedDetailsKept,
} from "../../core/refused-call.ts";
import type { Journal } from "./journal.ts";

/** However many calls are refused, they are written once a second, */
const flushEveryMs = 1000;

/**
 * and with so many details at the most, of all subjects: what a flood brings beyond them is counted without them. Subjects
 * are websites and keys that exist, so there is an end to what is counted.
 */
const detailsWaitingMost = 1000;

/** Notes refused calls, without anybody waiting for it. */
export class RefusedCalls {
  readonly #journal: Pick<Journal, "append">;
  #waiting = new Map<string, CallsRefusedEntry>();
  #details = new Map<RefusedSubject, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(journal: Pick<Journal, "append">) {
    this.#journal = journal;
  }

  /** Notes a call at `at` (milliseconds since the epoch); it is in the journal a second later. */
  note(refused: RefusedCall, at: number): void {
    const { subject } = refused;
    if (this.#countAgain(refused, at)) return;
    const details = this.#details.get(subject) ?? 0;
    if (details < refusedDetailsKept && this.#waiting.size < detailsWaitingMost) {
      this.#details.set(subject, details + 1);
      this.#begin(refused, at);
      return;
    }
    const other: RefusedCall = { subject, code: otherRefusals, detail: "" };
    if (!this.#countAgain(other, at)) this.#begin(other, at);
  }

  /** Hands all that was noted to the journal; what it refuses is lost, for a page that is wrong calls again. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const entries = [...this.#waiting.values()];
    this.#waiting.clear();
    this.#details.clear();
    await Promise.allSettled(entries.map((entry) => this.#journal.append(entry)));
  }

  #countAgain(refused: RefusedCall, at: number): boolean {
    const before = this.#waiting.get(nameOf(refused));
    if (before === undefined) return false;
    before.calls += 1;
    before.at = at;
    return true;
  }

  #begin(refused: RefusedCall, at: number): void {
    this.#waiting.set(nameOf(refused), { kind: "calls_refused", ...refused, at, calls: 1 });
    this.#timer ??= setTimeout(() => void this.flush(), flushEveryMs).unref();
  }
}

const nameOf = ({ subject, code, detail }: RefusedCall): string => `${subject}\n${code}\n${detail}`;
