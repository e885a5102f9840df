import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { findPostgres, type PostgresServer, startPostgres } from "../../testing/postgres-server.ts";
import { blocked, visitOf } from "../conformance/journal-for-tests.ts";
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

  test("loses and doubles nothing while the server dies and recovers twice under load", async () => {
    const database = await newDatabase();
    const { writer, deaths } = await database.open();
    const load = startLoad(writer, "k");
    for (let round = 1; round <= 2; round++) {
      const until = load.acknowledged.click.size + 50;
      await vi.waitFor(() => expect(load.acknowledged.click.size).toBeGreaterThan(until), patience);
      await server.kill();
      await vi.waitFor(() => expect(writer.isRefusing()).toBe(true), patience);
      await server.start();
    }
    await vi.waitFor(() => expect(writer.isRefusing()).toBe(false), patience);
    await load.stop();
    await vi.waitFor(() => expect(writer.journal.waiting()).toBe(0), patience);
    await expectNothingLost(database, load);
    expect(load.refusals.length).toBeGreaterThan(0);
    expect(deaths).toEqual([]);
  });

  test("without a server refuses in a moment, says so once, and is back when the server is", async () => {
    const database = await newDatabase();
    const { writer, events } = await database.open();
    await server.kill();
    try {
      // Nobody has sent anything: it is found out all the same.
      await vi.waitFor(() => expect(writer.isRefusing()).toBe(true), patience);
      const sentAt = performance.now();
      await expect(writer.journal.append(blocked(visitOf("r1")))).rejects.toMatchObject({
        name: "JournalUnavailable",
        retryAfterSeconds: 1,
      });
      expect(performance.now() - sentAt).toBeLessThan(900);
    } finally {
      await server.start();
    }
    await vi.waitFor(() => expect(writer.isRefusing()).toBe(false), patience);
    await writer.journal.append(blocked(visitOf("r2")));
    expect([...(await database.stored("blocked")).keys()]).toEqual([visitOf("r2").request]);
    const told = events.filter((event) => "event" in event && event.event === "database_away");
    expect(told.length).toBeLessThanOrEqual(6);
  });
});
