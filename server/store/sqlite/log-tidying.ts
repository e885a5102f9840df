import type { Database as Sqlite } from "better-sqlite3";
import type { Log } from "../../core/log-events.ts";
import { fileSizes } from "./file-sizes.ts";
import { truncateLog } from "./truncate-log.ts";

/** After this long without a write there is time to fold the log into the database. */
const idleMs = 2000;

/** Above this, somebody's long read keeps the log from being folded in. */
const alarmingBytes = 64 * 1024 * 1024;

export type LogTidying = {
  /** Something was written to the log. */
  wrote(): void;
  /** To be called every now and then. */
  tidy(): void;
};

/**
 * Keeps SQLite's write-ahead log short: truncates it when the writer is idle, and reports one that grows beyond
 * 64 MB, once. `log` gets the reports.
 */
export function prepareLogTidying(sqlite: Sqlite, log: Log): LogTidying {
  let lastWriteAt = performance.now();
  let isShort = false;
  let isReported = false;
  return {
    wrote: () => {
      lastWriteAt = performance.now();
      isShort = false;
    },
    tidy: () => {
      if (!isShort && performance.now() - lastWriteAt >= idleMs) isShort = truncateLog(sqlite);
      const { logBytes: bytes } = fileSizes(sqlite.name);
      if (bytes > alarmingBytes && !isReported) log({ event: "write_ahead_log_large", bytes });
      isReported = bytes > alarmingBytes;
    },
  };
}
