import pg from "pg";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { findPostgres, type PostgresServer, startPostgres } from "../../testing/postgres-server.ts";
import { blocked, hop, visitOf } from "../conformance/journal-for-tests.ts";
import { newWriterDatabase, startLoad } from "./writer-for-tests.ts";

const patience = { timeout: 15_000, interval: 5 };

describe.skipIf(findPostgres() === null)("a writer on PostgreSQL", () => {
  let server: PostgresServer;
  const closing: (() => Promise<void>)[] = [];
  const newDatabase = async () => {
    const database = await newWriterDatabase(server);
    closing.push(database.close);
    return database;
  };
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(async () => {
    for (const close of closing) await close();
    await server.remove();
  });

  /** What was acknowledged is stored once, and what was kept as well. */
  const expectNothingLost = async (
    database: Awaited<ReturnType<typeof newDatabase>>,
    load: ReturnType<typeof startLoad>,
  ): Promise<void> => {
    const [decisions, clicks] = [await database.stored("blocked"), await database.stored("click")];
    const lost = [...load.acknowledged.blocked, ...load.kept].filter((request) => !decisions.has(request));
    expect(lost).toEqual([]);
    expect([...load.acknowledged.click].filter((request) => !clicks.has(request))).toEqual([]);
    const doubled = [...decisions, ...clicks].filter(([, times]) => times !== 1);
    expect(doubled).toEqual([]);
  };

  test("loses and doubles nothing while all connections are broken twenty times under load", async () => {
    const database = await newDatabase();
    const { writer, deaths } = await database.open();
    const load = startLoad(writer, "t");
    for (let round = 1; round <= 20; round++) {
      const until = load.acknowledged.click.size + 50;
      await vi.waitFor(() => expect(load.acknowledged.click.size).toBeGreaterThan(until), patience);
      const ended = await database.ask(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = '${database.name}' and pid <> pg_backend_pid()`,
      );
      expect(ended.length).toBeGreaterThanOrEqual(2);
    }
    await load.stop();
    await vi.waitFor(() => expect(writer.journal.waiting()).toBe(0), patience);
    await expectNothingLost(database, load);
    expect(deaths).toEqual([]);
    expect(writer.isRefusing()).toBe(false);
    expect(new Set(load.refusals.map(String))).toEqual(new Set());
  });
});
