import type { RanOut } from "../../core/budget.ts";
import type { Log } from "../../core/log-events.ts";
import type { Written } from "../journal/journal.ts";
import type { JournalMeter } from "../journal/journal-meter.ts";
import { JournalQueue } from "../journal/journal-queue.ts";
import { StorageRefusal } from "./start-thread.ts";

/** What a writer's thread answers to a batch: a `Written` as JSON, and the offers that the batch has used up. */
type Answer = { writtenJson: string; exhausted: readonly RanOut[] };

type QueueOptions = {
  /** Sends a batch to the writer's thread. */
  ask: (entries: string, kept: number, lockWaitMs: number) => Promise<Answer>;
  log: Log;
  /** The queue's own where several do not count together. */
  meter?: JournalMeter;
  /** Hears of the offers that a batch has used up, before its entries are answered. */
  onExhausted: (offers: readonly RanOut[]) => void;
  /** Hears that the storage has refused a batch, before the queue does. */
  onRefused?: (refusal: StorageRefusal) => void;
};

/** Starts a queue of journal entries whose batches a writer's thread records. */
export function startQueue({ ask, log, meter, onExhausted, onRefused }: QueueOptions): JournalQueue {
  const write = async (...batch: Parameters<QueueOptions["ask"]>): Promise<void> => {
    try {
      const { writtenJson, exhausted } = await ask(...batch);
      const written: Written = JSON.parse(writtenJson);
      // First, for the next request must not be handed what has just run out.
      if (exhausted.length > 0) onExhausted(exhausted);
      queue.recorded(written);
    } catch (error) {
      // Whatever else it is, the thread has ended, and the queue is abandoned.
      if (!(error instanceof StorageRefusal)) return;
      onRefused?.(error);
      queue.refused(error);
    }
  };
  const queue = new JournalQueue((...batch) => void write(...batch), log, meter);
  return queue;
}
