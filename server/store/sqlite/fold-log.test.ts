import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import BetterSqlite from "better-sqlite3";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { startFoldingLog } from "./fold-log.ts";

const parent = mkdtempSync(join(tmpdir(), "offers-fold-"));
afterAll(() => rmSync(parent, { recursive: true, force: true }));

/** A file with one connection that folds its log, and another that writes and never does. */
const openFile = () => {
  const file = join(mkdtempSync(join(parent, "file-")), "offers.sqlite");
  const writer = new BetterSqlite(file);
  writer.pragma("journal_mode = wal");
  writer.pragma("wal_autocheckpoint = 0");
  writer.exec("create table page (bytes blob)");
  const folding = new BetterSqlite(file);
  const stop = startFoldingLog(folding);
  onTestFinished(() => {
    stop();
    folding.close();
    writer.close();
  });
  const fill = writer.prepare("insert into page values (randomblob(1000000))");
  return { writer, folding, stop, fill: () => fill.run(), foldedBytes: () => statSync(file).size };
};

test("what is committed gets into the database's own file without its writer, again and again", async () => {
  const { fill, foldedBytes } = openFile();
  for (let megabytes = 1; megabytes <= 3; megabytes += 1) {
    fill();
    await expect.poll(foldedBytes).toBeGreaterThan(megabytes * 1e6);
  }
});

test("what keeps it from folding, such as a transaction of its own connection, is waited for", async () => {
  const { fill, folding, foldedBytes } = openFile();
  folding.exec("begin; select * from page");
  fill();
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(foldedBytes()).toBeLessThan(1e6);
  folding.exec("commit");
  await expect.poll(foldedBytes).toBeGreaterThan(1e6);
});

test("somebody who is writing is not waited for, and nothing is folded once that is ended", async () => {
  const { writer, folding, stop, fill, foldedBytes } = openFile();
  folding.pragma("busy_timeout = 30000");
  fill();
  writer.exec("begin immediate");
  fill();
  const from = performance.now();
  await expect.poll(foldedBytes).toBeGreaterThan(1e6);
  expect(performance.now() - from, "milliseconds, of which waiting for the writer takes 30,000").toBeLessThan(
    20_000,
  );
  expect(foldedBytes()).toBeLessThan(2e6);
  writer.exec("commit");
  stop();
  const folded = foldedBytes();
  fill();
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(foldedBytes()).toBe(folded);
});
