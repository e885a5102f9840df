import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
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

  test("may rest where it has not been asked anything", async () => {
    await desk.rest();
    expect(threads()).toEqual([]);
  });
});
