import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import type { BlockedEntry } from "../../core/journal-entry.ts";
import { findPostgres, type PostgresServer, startPostgres } from "../../testing/postgres-server.ts";
import { blocked, hop, served, visitOf } from "../conformance/journal-for-tests.ts";
import { newWriterDatabase } from "./writer-for-tests.ts";

const patience = { timeout: 30_000, interval: 5 };

describe.skipIf(findPostgres() === null)("a server that is away", { timeout: 60_000 }, () => {
  let server: PostgresServer;
  let database: Awaited<ReturnType<typeof newWriterDatabase>>;
  beforeAll(async () => {
    server = await startPostgres();
    database = await newWriterDatabase(server);
  });
  afterAll(async () => {
    await database.close();
    await server.remove();
  });

  test("visits outlive the process that has kept them, whichever lane they would have gone by", async () => {
    const spoolFile = join(database.directory, "spool-of-one-node.sqlite");
    const { writer, events } = await database.open({ spoolFile });
    await server.kill();
    // Nobody has noticed yet: those with a link wait for the money lane.
    const first = visitsOf("first", 300);
    const told = await Promise.all(first.map((entry) => writer.journal.keep(entry, 10)));
    await vi.waitFor(() => expect(writer.isRefusing()).toBe(true), patience);
    const later = visitsOf("later", 300);
    told.push(...(await Promise.all(later.map((entry) => writer.journal.keep(entry, 10)))));
    expect(new Set(told)).toEqual(new Set(["pending"]));
    await writer.drain();
    await writer.close();
    expect(events).toContainEqual(expect.objectContaining({ event: "spool_filling" }));
    expect(events).not.toContainEqual(expect.objectContaining({ event: "journal_entries_lost" }));

    await server.start();
    expect(await database.stored("blocked")).toEqual(new Map());
    const { writer: next } = await database.open({ spoolFile });
    await vi.waitFor(() => expect(next.journal.waiting()).toBe(0), patience);
    const all = [...first, ...later].map(({ visit }) => [visit.request, 1] as const);
    expect(await database.stored("blocked")).toEqual(new Map(all));
    // While it is connected nobody can copy the database.
    await next.drain();
    await next.close();
  });

  test("visits wait for their own database, also where that is restored under another name, and go into no other", async () => {
    const spoolFile = join(database.directory, "spool-of-another-node.sqlite");
    const { writer } = await database.open({ spoolFile });
    await server.kill();
    await vi.waitFor(() => expect(writer.isRefusing()).toBe(true), patience);
    const visits = visitsOf("elsewhere", 5);
    await Promise.all(visits.map((entry) => writer.journal.keep(entry, 10)));
    await writer.drain();
    await writer.close();
    await server.start();

    const other = await newWriterDatabase(server);
    onTestFinished(other.close);
    await expect(other.open({ spoolFile })).rejects.toThrow(
      "it has visits of another database than DATABASE_URL leads to (5)",
    );
    expect(await other.stored("blocked")).toEqual(new Map());

    const restored = `${database.name}_restored`;
    await server.administer(`create database ${restored} template ${database.name}`);
    onTestFinished(() => server.administer(`drop database ${restored} with (force)`));
    const { writer: next, events } = await database.open({ spoolFile, url: server.url(restored) });
    await vi.waitFor(() => expect(events).toContainEqual({ event: "spool_empty" }), patience);
    await next.drain();
    await next.close();
    expect(events).toContainEqual({ event: "spool_found", entries: 5 });
    expect(events).not.toContainEqual(expect.objectContaining({ event: "journal_entry_failed" }));
  });

  test("a click waits for it in the first seconds alone: later nobody is held up for nothing", async () => {
    const { writer } = await database.open();
    const refusedAfter = async (name: string): Promise<number> => {
      const sentAt = performance.now();
      await expect(writer.journal.append(hop(visitOf(name), 1))).rejects.toMatchObject({
        name: "StorageUnavailable",
      });
      return performance.now() - sentAt;
    };
    await server.kill();
    try {
      expect(await refusedAfter("soon")).toBeGreaterThan(2000);
      expect(await refusedAfter("later")).toBeLessThan(1000);
    } finally {
      await server.start();
    }
  });
});

/** Every third one is handed a link. */
const visitsOf = (name: string, count: number): BlockedEntry[] =>
  Array.from({ length: count }, (_, number) => {
    const visit = visitOf(`${name}${number}`);
    const [offer] = number % 3 === 0 ? served(visit, [1]).offers : [];
    return { ...blocked(visit), ...(offer !== undefined && { offer }) };
  });
