import { statSync } from "node:fs";
import { tmpdir } from "node:os";
import { afterEach, expect, test, vi } from "vitest";
import { openDatabase } from "./database.ts";
import { newCatalogueFile } from "./file-for-tests.ts";
import { prepareLogTidying } from "./log-tidying.ts";
import { truncateLog } from "./truncate-log.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const close of closing.splice(0)) await close();
});

const newFile = async () => {
  const { close, sqlite, file } = await newCatalogueFile(tmpdir());
  closing.push(close);
  sqlite.pragma("busy_timeout = 0");
  sqlite.exec("create table ballast (bytes blob)");
  const log: object[] = [];
  const write = (megabytes: number) => {
    for (let written = 0; written < megabytes; written++) {
      sqlite.exec("insert into ballast values (zeroblob(1000000))");
    }
  };
  const logBytes = () => statSync(`${file}-wal`).size;
  return {
    file,
    sqlite,
    write,
    logBytes,
    log,
    tidying: prepareLogTidying(sqlite, (event) => log.push(event)),
  };
};

/** A connection in the middle of a read, which keeps its view of the file. */
const startReading = (file: string) => {
  const { db, sqlite } = openDatabase({ file, durability: "relaxed", busyTimeoutMs: 0 });
  closing.push(() => db.destroy());
  sqlite.exec("begin");
  sqlite.prepare("select count(*) from ballast").get();
  return { stop: () => sqlite.exec("commit") };
};

test("the log is truncated once the writer has been idle for two seconds, and not before", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const { tidying, write, logBytes } = await newFile();
  write(1);
  tidying.wrote();
  vi.advanceTimersByTime(1999);
  tidying.tidy();
  expect(logBytes()).toBeGreaterThan(1_000_000);
  vi.advanceTimersByTime(1);
  tidying.tidy();
  expect(logBytes()).toBe(0);
});

test("a log that a reader keeps from being folded in is reported once, and folded in when the reader is gone", async () => {
  const { tidying, file, sqlite, write, logBytes, log } = await newFile();
  const reader = startReading(file);
  write(70);
  expect(truncateLog(sqlite)).toBe(false);
  tidying.tidy();
  tidying.tidy();
  expect(log).toEqual([{ event: "write_ahead_log_large", bytes: logBytes() }]);
  reader.stop();
  expect(truncateLog(sqlite)).toBe(true);
  expect(logBytes()).toBe(0);
  tidying.tidy();
  expect(log).toHaveLength(1);
});

test("nobody who writes is kept waiting by a truncation that waits for a reader, whatever the busy timeout", async () => {
  const { file, sqlite, write } = await newFile();
  const reader = startReading(file);
  write(1);
  sqlite.pragma("busy_timeout = 30000");
  const from = performance.now();
  expect(truncateLog(sqlite)).toBe(false);
  expect(performance.now() - from).toBeLessThan(20_000);
  expect(sqlite.pragma("busy_timeout", { simple: true })).toBe(30_000);
  reader.stop();
});
