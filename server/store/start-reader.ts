import type { Changes, FromReader, ReaderOptions, ToReader } from "./reader-messages.ts";
import { startThread } from "./start-thread.ts";

export type Reader = {
  /** What has changed since the last poll, at `now` (milliseconds since the epoch); null when nothing could be read. */
  poll(now: number): Promise<Changes | null>;
  close(): Promise<void>;
};

/**
 * Starts the reader thread, whose first poll opens and migrates the database. `onDeath` is called once when the thread
 * fails, and every poll under way rejects.
 */
export const startReader = (
  options: ReaderOptions & { log: (event: object) => void; onDeath: (error: Error) => void },
): Reader => {
  const { log, onDeath, ...workerData } = options;
  /** In the order of the questions, which is that of the answers. */
  const asked: PromiseWithResolvers<Changes | null>[] = [];

  const onMessage = (message: FromReader): void => {
    switch (message.kind) {
      case "polled":
        asked.shift()?.resolve(message.changes);
        return;
      case "poll_failed":
        log({ event: "catalogue_poll_failed", code: message.code });
        asked.shift()?.resolve(null);
        return;
      case "closed":
        thread.expectEnd();
        return;
      default:
        message satisfies never;
    }
  };

  const thread = startThread<ToReader, FromReader>(new URL("./reader-thread.ts", import.meta.url), {
    workerData,
    onMessage,
    onDeath: (error) => {
      for (const question of asked.splice(0)) question.reject(error);
      onDeath(error);
    },
  });

  return {
    poll: (now) => {
      const question = Promise.withResolvers<Changes | null>();
      asked.push(question);
      thread.post({ kind: "poll", now });
      return question.promise;
    },
    close: async () => {
      thread.post({ kind: "close" });
      await thread.ended;
    },
  };
};
