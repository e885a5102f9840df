import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { newCatalogueFile } from "../store/sqlite/file-for-tests.ts";
import type { Desk } from "./desk.ts";
import { startDesk } from "./start-desk.ts";

describe("a desk", () => {
  const directory = mkdtempSync(join(tmpdir(), "desk-"));
  const onDeath = vi.fn();
  let close: () => Promise<void>;
  let desk: Desk;
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const made = await newCatalogueFile(directory);
    desk = startDesk({
      database: { engine: "sqlite", file: made.file, durability: "relaxed" },
      production: false,
      dataDir: directory,
      geoDatabase: null,
      clock: Date.now,
      log: () => undefined,
      onDeath,
    });
    close = async () => {
      await desk.close();
      await made.close();
    };
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  afterEach(async () => {
    vi.useRealTimers();
    await close();
    expect(onDeath).not.toHaveBeenCalled();
  });

  const list = () => desk.ask("listGrants", { publisherId: "publisher_nobody" });
  const threads = () => desk.threads().map(({ name }) => name);

  test("has a thread from its first command on, until it may rest, and again from the next one on", async () => {
    expect(threads()).toEqual([]);
    expect(await list()).toEqual([]);
    expect(threads()).toEqual(["desk"]);
    await desk.rest();
    expect(threads()).toEqual([]);
    expect(await list()).toEqual([]);
    expect(threads()).toEqual(["desk"]);
  });

  test("does not rest while it is asked something", async () => {
    const asked = list();
    await desk.rest();
    expect(threads()).toEqual(["desk"]);
    expect(await asked).toEqual([]);
  });

  test("rests by itself five minutes after its last command", async () => {
    await list();
    vi.advanceTimersByTime(4 * 60_000);
    await list();
    vi.advanceTimersByTime(5 * 60_000 - 1);
    expect(threads()).toEqual(["desk"]);
    vi.advanceTimersByTime(1);
    expect(threads()).toEqual([]);
    expect(await list()).toEqual([]);
  });

  test("reads a month of the ledger on a thread of its own, which rests as the other one", async () => {
    await list();
    const month = { advertiserId: "advertiser_nobody", month: "2026-01" };
    await expect(desk.ask("readAdvertiserMonth", month)).rejects.toThrow("unknown");
    expect(threads()).toEqual(["desk", "statements"]);
    await expect(desk.ask("exportAdvertiserMonth", month)).rejects.toThrow("unknown");
    await desk.rest();
    expect(threads()).toEqual([]);
  });

  test("reads so many months at once, and refuses more", async () => {
    const month = { advertiserId: "advertiser_nobody", month: "2026-01" };
    const asked = Array.from({ length: 5 }, () => desk.ask("readAdvertiserMonth", month));
    const told = await Promise.allSettled(asked);
    const refusals = told.map((one) => (one.status === "rejected" ? String(one.reason.message) : "answered"));
    expect(refusals.filter((text) => text.includes("unknown"))).toHaveLength(4);
    expect(refusals.filter((text) => text.includes("too many"))).toHaveLength(1);
    expect(await list()).toEqual([]);
  });

  test("may rest where it has not been asked anything", async () => {
    await desk.rest();
    expect(threads()).toEqual([]);
  });
});

/** Asks with each number of files left that it may open, and once more when there are enough; says what came of it. */
const program = (left: readonly number[], directory: string): string => `
  import { closeSync, openSync } from "node:fs";
  import { startDesk } from "${new URL("./start-desk.ts", import.meta.url)}";
  import { newCatalogueFile } from "${new URL("../store/sqlite/file-for-tests.ts", import.meta.url)}";
  const dataDir = ${JSON.stringify(directory)};
  const { file } = await newCatalogueFile(dataDir);
  for (const left of ${JSON.stringify(left)}) {
    const told = [];
    const desk = startDesk({
      database: { engine: "sqlite", file, durability: "relaxed" },
      ...{ production: false, dataDir, geoDatabase: null, clock: Date.now },
      log: ({ event }) => told.push(event),
      onDeath: () => told.push("death"),
    });
    const ask = async () => {
      const asked = desk.ask("listGrants", { publisherId: "publisher_nobody" });
      told.push(await asked.then(() => "answered", ({ name }) => name));
    };
    const held = [];
    try {
      for (;;) held.push(openSync("/dev/null"));
    } catch {}
    for (const file of held.splice(0, left)) closeSync(file);
    await ask();
    for (const file of held) closeSync(file);
    await ask();
    console.log(told.join(" "));
    await desk.close();
  }
`;

test.runIf(process.platform === "linux")(
  "a desk that may open no file refuses, ends nobody, and answers once it may",
  async () => {
    const directory = mkdtempSync(join(tmpdir(), "desk-files-"));
    const left = [0, 1, 2, 3, 4, 5, 6, 7, 8];
    const script = join(directory, "program.mjs");
    writeFileSync(script, program(left, directory));
    // In a process of its own, for the limit is a process's.
    const limited = ["-c", 'ulimit -n 90 && exec "$0" "$@"', process.execPath, script];
    const told = (await promisify(execFile)("sh", limited)).stdout.trim().split("\n");
    rmSync(directory, { recursive: true });
    expect(told[0]).toBe("desk_not_started StorageUnavailable answered");
    // Where some are left it gets further: into its program, to the database, or to the answer.
    for (const of of told)
      expect(of).toMatch(/^(?:(?:desk_not_started )?StorageUnavailable|answered) answered$/);
    expect(told).toHaveLength(left.length);
  },
);
