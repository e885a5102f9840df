import type { RanOut } from "../../core/budget.ts";
import type { LogLine } from "../../core/log-events.ts";
import type { Durability } from "./open-sqlite.ts";

/** What the writer thread is started with. */
export type WriterOptions = { file: string; durability: Durability };

export type WriterQuestions = {
  /** The file has this program's schema by now. */
  open: { asked: null; answer: null };
  /**
   * The text of a batch's entries (entry-text.ts), of which the first `kept` want no outcome, and for how long it waits
   * for another process's write lock. One at a time.
   */
  batch: { asked: { entries: string; kept: number; lockWaitMs: number }; answer: BatchAnswer };
  close: { asked: null; answer: null };
};

export type BatchAnswer = {
  /** A `Written` as JSON, which crosses between threads at less cost than its objects. */
  writtenJson: string;
  exhausted: readonly RanOut[];
};

/** Events for the log. */
export type ToldByWriter = LogLine;
