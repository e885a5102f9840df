import type { SqliteAddress } from "../database-address.ts";
import type { Engine, EngineOptions } from "../engine.ts";
import { startReaderThread } from "../threads/start-reader.ts";
import { readDiskRoom } from "./disk-room.ts";
import type { ReaderOptions } from "./reader-thread.ts";
import { startWriter } from "./start-writer.ts";

/** Starts a thread that writes the database file and one that reads it. */
export function startSqlite({ file, durability }: SqliteAddress, options: EngineOptions): Engine {
  const { eventsKeptDays, log, onExhausted, onDeath } = options;
  return {
    // Side by side, for a thread takes a while to start; but the reader migrates the file before it is written.
    reader: startReaderThread(new URL("./reader-thread.ts", import.meta.url), {
      workerData: { file, durability, eventsKeptDays } satisfies ReaderOptions,
      log,
      onDeath,
    }),
    writer: startWriter({ file, durability, log, onExhausted, onDeath }),
    windows: null,
    disk: () => readDiskRoom(file),
  };
}
