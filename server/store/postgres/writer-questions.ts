import type { RanOut } from "../../core/budget.ts";
import type { PostgresAddress } from "../database-address.ts";
import type { Lane } from "../journal/lane-of.ts";
import type { LaneEvent } from "./lane-connection.ts";

/** What the writer thread is started with. */
export type WriterOptions = { address: PostgresAddress };

export type WriterQuestions = {
  /** The database has this program's schema by now. */
  open: { asked: null; answer: null };
  /**
   * The text of a batch's entries (entry-text.ts), of which the first `kept` want no outcome, and for how long it waits
   * for a connection. Of each lane one at a time.
   */
  batch: { asked: { lane: Lane; entries: string; kept: number; patienceMs: number }; answer: BatchAnswer };
  close: { asked: null; answer: null };
};

export type BatchAnswer = {
  /** A `Written` as JSON, which crosses between threads at less cost than its objects. */
  writtenJson: string;
  exhausted: readonly RanOut[];
};

export type ToldByWriter = LaneEvent & { lane: Lane };
