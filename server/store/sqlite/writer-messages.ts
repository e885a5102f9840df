import type { OfferId } from "@offers/contract/ids";
import type { Durability } from "./open-sqlite.ts";

/** What the writer thread is started with. */
export type WriterOptions = { file: string; durability: Durability };

/** From the main thread. */
export type ToWriter =
  /** The file has this program's schema by now. */
  | { kind: "open" }
  /** A `JournalEntry[]` as JSON, which crosses between threads at less cost than its objects. One at a time. */
  | { kind: "batch"; entriesJson: string }
  | { kind: "close" };

/** From the writer thread. */
export type FromWriter =
  | { kind: "ready" }
  | {
      kind: "recorded";
      /** An `EntryResult[]`, in the order of the batch's entries. */
      resultsJson: string;
      /** Offers that have run out, as far as this batch's charges have met it. */
      exhausted: OfferId[];
    }
  /** Nothing of the batch was written. */
  | { kind: "refused"; code: string; retryAfterSeconds: number }
  | { kind: "log"; event: object }
  | { kind: "closed" };
