import type { RanOut } from "../../core/budget.ts";
import { relaxedWarning } from "../../core/database-settings.ts";
import type { Log } from "../../core/log-events.ts";
import { StorageUnavailable } from "../../core/storage-unavailable.ts";
import type { Writer } from "../engine.ts";
import { startQueue } from "../threads/start-queue.ts";
import { startThread } from "../threads/start-thread.ts";
import { withinPatience } from "../threads/within-patience.ts";
import type { ToldByWriter, WriterOptions, WriterQuestions } from "./writer-questions.ts";

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
      queue.abandon(new StorageUnavailable("the writer has died", 1));
      onDeath(error);
    },
  });
  const ask = (entries: string, kept: number, lockWaitMs: number) =>
    thread.ask("batch", { entries, kept, lockWaitMs });
  const queue = startQueue({ ask, log, onExhausted });

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
      // A file that can be read alone, or a disk that takes nothing, is to be found out before a visitor comes.
      queue.tryStorage();
    },
    isRefusing: () => queue.isRefusing(),
    reading: () => queue.reading(),
    queues: () => [queue.readQueue()],
    committedEvents: () => queue.committedEvents(),
    threads: () => [{ name: "writer", usage: thread.usage }],
    warnings: () => (options.durability === "relaxed" ? [relaxedWarning] : []),
    drain: async () => {
      await withinPatience(queue.drain());
      const lost = queue.abandon(new StorageUnavailable("the journal is closing", 1));
      if (lost > 0) log({ event: "journal_entries_lost", entries: lost });
    },
    close: async () => {
      await withinPatience(thread.close());
      await thread.kill();
    },
  };
}
