import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";
import { recount } from "../books/recount.ts";
import { entriesOf } from "../journal/entry-text.ts";
import { JournalQueue } from "../journal/journal-queue.ts";
import { newCatalogueFile } from "../sqlite/file-for-tests.ts";
import { prepareBatchWriter } from "../sqlite/write-batch.ts";
import { openSpool } from "./open-spool.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const program = fileURLToPath(new URL("./spool-keeper-for-tests.ts", import.meta.url));

/** Runs the program until it has kept enough and is killed, or kills itself; returns the requests that it told of. */
const runUntilKilled = async (words: readonly string[], enough: number): Promise<string[]> => {
  const child = spawn(process.execPath, [program, ...words], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "exit");
  const told: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    // The kill may have cut the last line in two.
    if (line.endsWith("]")) told.push(...JSON.parse(line));
    if (told.length >= enough) child.kill("SIGKILL");
  }
  const [code, signal] = await ended;
  expect({ code, signal }).toEqual({ code: null, signal: "SIGKILL" });
  return told;
};

test("killed while it spools, and killed between a commit and its removal: each visit is recorded once", async () => {
  const { file, db, sqlite, close } = await newCatalogueFile(tmpdir());
  closing.push(close);
  const spoolFile = join(dirname(file), "spool.sqlite");
  const told: string[] = [];
  for (const [round, enough] of [2000, 3100].entries()) {
    told.push(...(await runUntilKilled(["keep", spoolFile, file, `k${round}`], enough)));
  }
  const modes = readdirSync(dirname(file))
    .filter((name) => name.startsWith("spool.sqlite"))
    .map((name) => statSync(join(dirname(file), name)).mode & 0o777);
  expect(modes).toEqual([0o600, 0o600, 0o600]);

  const recorded = () => Number(sqlite.prepare("select count(*) from fact").pluck().get());
  await runUntilKilled(["record", spoolFile, file], Number.POSITIVE_INFINITY);
  const before = recorded();
  expect(before).toBeGreaterThanOrEqual(2500);
  expect(before).toBeLessThan(told.length);

  const log: Record<string, unknown>[] = [];
  const spool = await openSpool({ file: spoolFile, database: "one", log: (event) => log.push({ ...event }) });
  closing.push(spool.close);
  const writer = prepareBatchWriter(sqlite);
  let batches = 0;
  const queue: JournalQueue = new JournalQueue(
    (text, kept) =>
      setImmediate(() => {
        batches += 1;
        queue.recorded(writer.write(entriesOf(text), kept));
      }),
    (event) => log.push({ ...event }),
  );
  queue.useSpool(spool);
  await queue.drain();
  const found = Number(log.find(({ event }) => event === "spool_found")?.entries);
  // Some of those that it found were recorded already.
  expect(found).toBeGreaterThan(told.length - before);
  expect(batches).toBeGreaterThan(1);
  expect(log.map(({ event }) => event)).toEqual(["spool_found", "spool_empty"]);

  const rows = sqlite
    .prepare<[], { request: Buffer; seq: number; reason: number | null }>(
      "select request, seq, reason from fact",
    )
    .all();
  const requests = new Set(rows.map(({ request }) => request.toString("base64url")));
  expect(
    told.filter((request) => !requests.has(Buffer.from(request, "base64url").toString("base64url"))),
  ).toEqual([]);
  expect(rows.filter(({ seq, reason }) => seq > 0 || reason !== null)).toEqual([]);
  expect(requests.size).toBe(rows.length);
  expect((await recount(db)).differences).toEqual([]);
});
