import type { RanOut } from "../../core/budget.ts";
import { relaxedWarning } from "../../core/database-settings.ts";
import type { Log } from "../../core/log-events.ts";
import type { Writer } from "../engine.ts";
import { JournalUnavailable, type Written } from "../journal/journal.ts";
import { JournalQueue } from "../journal/journal-queue.ts";
import { StorageRefusal, startThread } from "../threads/start-thread.ts";
import type { ToldByWriter, WriterOptions, WriterQuestions } from "./writer-questions.ts";

/** How long closing waits for a storage that refuses, and again for the thread to end. */
const closePatienceMs = 4000;

/**
 * Starts the writer thread. `onExhausted` hears of the offers that a batch has used up, before its entries
 * are answered; `onDeath` is called once when the thread fails, and everything that waits is rejected.
 */
export function startWriter(
  options: WriterOptions & {
    log: Log;
    onExhausted: (offers: readonly RanOut[]) => void;
    onDeath: (error: Error) => void;
  },
): Writer {
  const { log, onExhausted, onDeath, ...workerData } = options;
  const thread = startThread<WriterQuestions, ToldByWriter>(new URL("./writer-thread.ts", import.meta.url), {
    workerData,
    onTold: (event) => {
      log(event);
      // What it tells may mean that it refuses from now on, and without traffic nobody else would find out.
      queue.tryStorage();
    },
    onDeath: (error) => {
      queue.abandon(new JournalUnavailable("the writer has died", 1));
      onDeath(error);
    },
  });
  const write = async (entries: string, kept: number, lockWaitMs: number): Promise<void> => {
    try {
      const { writtenJson, exhausted } = await thread.ask("batch", { entries, kept, lockWaitMs });
      const written: Written = JSON.parse(writtenJson);
      // First, for the next request must not be handed what has just run out.
      if (exhausted.length > 0) onExhausted(exhausted);
      queue.recorded(written);
    } catch (error) {
      // Whatever else it is, the thread has ended, and the queue is abandoned.
      if (error instanceof StorageRefusal) queue.refused(error);
    }
  };
  const queue = new JournalQueue((...batch) => void write(...batch), log);

  return {
    // These functions and nothing else: a caller may pass them on one by one.
    journal: {
      append: (entry) => queue.append(entry),
      keep: (entry, waitMs) => queue.keep(entry, waitMs),
      isFull: () => queue.isFull(),
      waiting: () => queue.waiting(),
      inMemory: () => queue.inMemory(),
    },
    open: async () => {
      await thread.ask("open", null);
    },
    isRefusing: () => queue.isRefusing(),
    reading: () => queue.reading(),
    queues: () => [queue.readQueue()],
    committedEvents: () => queue.committedEvents(),
    threads: () => [{ name: "writer", usage: thread.usage }],
    warnings: () => (options.durability === "relaxed" ? [relaxedWarning] : []),
    drain: async () => {
      await withinPatience(queue.drain());
      const lost = queue.abandon(new JournalUnavailable("the journal is closing", 1));
      if (lost > 0) log({ event: "journal_entries_lost", entries: lost });
    },
    close: async () => {
      await withinPatience(thread.close());
      await thread.kill();
    },
  };
}

/** Resolves with the work or after the patience, whichever comes first. */
const withinPatience = async (work: Promise<void>): Promise<void> => {
  const patience = Promise.withResolvers<void>();
  const timer = setTimeout(patience.resolve, closePatienceMs);
  await Promise.race([work, patience.promise]);
  clearTimeout(timer);
};
