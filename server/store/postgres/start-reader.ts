import type { PostgresAddress } from "../database-address.ts";
import type { EngineOptions, Reader } from "../engine.ts";
import { startReaderThread } from "../threads/start-reader.ts";
import type { ReaderOptions } from "./reader-thread.ts";

/** Starts the thread that reads the database, and keeps house in it where no other node does. */
export function startReader({
  address: { url },
  eventsKeptDays,
  log,
  onDeath,
}: { address: PostgresAddress } & Pick<EngineOptions, "eventsKeptDays" | "log" | "onDeath">): Reader {
  return startReaderThread(new URL("./reader-thread.ts", import.meta.url), {
    workerData: { url, eventsKeptDays } satisfies ReaderOptions,
    log,
    onDeath,
  });
}
