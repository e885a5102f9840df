import type { BlockedEntry } from "../../core/journal-entry.ts";
import type { Spool } from "./spool.ts";

type Step = { run(): void; fail(isDone: boolean): void };

/** What a spool in memory goes through: each of its calls waits for the test. */
export class ManualSpool implements Spool {
  readonly opened: Spool["opened"];
  readonly lines: { position: number; entry: BlockedEntry | null }[];
  readonly #steps: Step[] = [];
  /** Requests of which somebody was told that they are safe here. */
  readonly promised = new Set<string>();
  adds = 0;
  #last: number;

  constructor(lines: ManualSpool["lines"] = []) {
    this.lines = lines;
    this.#last = lines.at(-1)?.position ?? 0;
    this.opened = { forgotten: (lines[0]?.position ?? this.#last + 1) - 1, last: this.#last };
  }

  add(entries: readonly BlockedEntry[]): Promise<number> {
    this.adds += 1;
    return this.#step(() => {
      for (const entry of entries) this.lines.push({ position: ++this.#last, entry });
      return this.#last;
    });
  }

  read(after: number, most: number) {
    return this.#step(() => {
      const lines = this.lines.filter(({ position }) => position > after).slice(0, most);
      return { lines, upTo: lines.length < most ? this.#last : (lines.at(-1)?.position ?? after) };
    });
  }

  forget(upTo: number): Promise<void> {
    return this.#step(() => {
      while ((this.lines[0]?.position ?? Number.POSITIVE_INFINITY) <= upTo) this.lines.shift();
    });
  }

  /** How many calls wait. */
  get steps(): number {
    return this.#steps.length;
  }

  /** Does what the oldest call asks for; false: none waits. */
  step(): boolean {
    const step = this.#steps.shift();
    step?.run();
    return step !== undefined;
  }

  /** Refuses the oldest call; `isDone`: though it was done. */
  fail(isDone = false): void {
    this.#steps.shift()?.fail(isDone);
  }

  #step<T>(work: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#steps.push({
        run: () => {
          const done = work();
          for (const { entry } of this.lines) if (entry !== null) this.promised.add(entry.visit.request);
          resolve(done);
        },
        fail: (isDone) => {
          if (isDone) work();
          reject(new Error("the spool's disk refuses"));
        },
      });
    });
  }
}
