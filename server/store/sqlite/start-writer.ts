import type { OfferId } from "@offers/contract/ids";
import { type Journal, JournalUnavailable } from "../journal/journal.ts";
import { JournalQueue } from "../journal/journal-queue.ts";
import { startThread } from "./start-thread.ts";
import type { FromWriter, ToWriter, WriterOptions } from "./writer-messages.ts";

export type Writer = {
  journal: Journal;
  /** Opens the database, which has its schema by now; to be called before anything is recorded. */
  open(): Promise<void>;
  /** Whether the storage refused the last batch. */
  isRefusing(): boolean;
  /** Turns new entries away at once, and commits whatever waits, for at most some seconds. */
  drain(): Promise<void>;
  /** Folds the log into the file and ends the thread. */
  close(): Promise<void>;
};

/** How long closing waits for a storage that refuses, and again for the thread to end. */
const closePatienceMs = 4000;

/**
 * Starts the writer thread. `onExhausted` hears which offers a batch has used up, before its entries are answered;
 * `onDeath` is called once when the thread fails, and everything that waits is rejected.
 */
export function startWriter(
  options: WriterOptions & {
    log: (event: object) => void;
    onExhausted: (offers: readonly OfferId[]) => void;
    onDeath: (error: Error) => void;
  },
): Writer {
  const { log, onExhausted, onDeath, ...workerData } = options;
  const ready = Promise.withResolvers<void>();
  const queue = new JournalQueue((entriesJson) => thread.post({ kind: "batch", entriesJson }), log);

  const onMessage = (message: FromWriter): void => {
    switch (message.kind) {
      case "ready":
        ready.resolve();
        return;
      case "recorded":
        // First, for the next request must not be handed what has just run out.
        if (message.exhausted.length > 0) onExhausted(message.exhausted);
        queue.recorded(JSON.parse(message.resultsJson));
        return;
      case "refused":
        queue.refused(message);
        return;
      case "log":
        log(message.event);
        return;
      case "closed":
        thread.expectEnd();
        return;
      default:
        message satisfies never;
    }
  };

  const thread = startThread<ToWriter, FromWriter>(new URL("./writer-thread.ts", import.meta.url), {
    workerData,
    onMessage,
    onDeath: (error) => {
      queue.abandon(new JournalUnavailable("the writer has died", 1));
      ready.reject(error);
      onDeath(error);
    },
  });
  // Whoever does not open it yet hears of its death by `onDeath`.
  ready.promise.catch(() => undefined);

  return {
    // Three functions and nothing else: a caller may pass them on one by one.
    journal: {
      append: (entry) => queue.append(entry),
      keep: (entry, waitMs) => queue.keep(entry, waitMs),
      isFull: () => queue.isFull(),
      waiting: () => queue.waiting(),
    },
    open: () => {
      thread.post({ kind: "open" });
      return ready.promise;
    },
    isRefusing: () => queue.isRefusing(),
    drain: async () => {
      await withinPatience(queue.drain());
      const lost = queue.abandon(new JournalUnavailable("the journal is closing", 1));
      if (lost > 0) log({ event: "journal_entries_lost", entries: lost });
    },
    close: async () => {
      thread.post({ kind: "close" });
      await withinPatience(thread.ended);
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
