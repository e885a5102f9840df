import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { findPostgres, type PostgresServer, startPostgres } from "../../testing/postgres-server.ts";
import { blocked, hop, visitOf } from "../conformance/journal-for-tests.ts";
import { newWriterDatabase } from "./writer-for-tests.ts";

const patience = { timeout: 15_000, interval: 1 };

describe.skipIf(findPostgres() === null)("a writer whose place somebody has taken", () => {
  let server: PostgresServer;
  let database: Awaited<ReturnType<typeof newWriterDatabase>>;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.remove());
  beforeEach(async () => {
    database = await newWriterDatabase(server);
    return database.close;
  });
  const rows = () =>
    database.ask<{ id: string; epoch: string; batch: string }>("select * from node order by id");

  test("has a row for each lane, which goes when it ends", async () => {
    const { writer } = await database.open();
    const [money, plain] = await rows();
    expect(money?.id).toMatch(/^[\w-]{12}\/money$/);
    expect(plain?.id).toBe(money?.id.replace("money", "plain"));
    await writer.journal.append(blocked(visitOf("r1")));
    await writer.journal.append(blocked(visitOf("r2")));
    await writer.journal.append(hop(visitOf("r1"), 1));
    const [moneyAfter, plainAfter] = await rows();
    expect([moneyAfter?.batch, plainAfter?.batch]).toEqual(["1", "2"]);
    await writer.drain();
    await writer.close();
    expect(await rows()).toEqual([]);
  });

  test.each([
    { how: "its epoch was raised", statement: "update node set epoch = epoch + 1" },
    { how: "its row is gone", statement: "delete from node" },
  ])(
    "$how: it writes no row, is not ready, and takes a new place in which what waits is written once",
    async ({ statement }) => {
      const { writer, events, deaths } = await database.open();
      const before = await rows();
      const facts: number[] = [];
      await database.ask(statement);
      const refused = writer.journal.append(blocked(visitOf("r1")));
      const kept = writer.journal.keep(blocked(visitOf("r2")), 0);
      const click = writer.journal.append(hop(visitOf("r3"), 1));
      const wasReady: boolean[] = [];
      await expect(refused.finally(() => wasReady.push(writer.isRefusing()))).rejects.toMatchObject({
        name: "StorageUnavailable",
        retryAfterSeconds: 1,
      });
      facts.push((await database.stored("blocked")).get(visitOf("r1").request) ?? 0);
      expect(await kept).toBe("pending");
      await click;
      await vi.waitFor(() => expect(writer.journal.waiting()).toBe(0), patience);
      await vi.waitFor(() => expect(writer.isRefusing()).toBe(false), patience);
      expect(wasReady).toEqual([true]);
      expect(facts).toEqual([0]);
      expect(await database.stored("blocked")).toEqual(new Map([[visitOf("r2").request, 1]]));
      expect(await database.stored("click")).toEqual(new Map([[visitOf("r3").request, 1]]));
      const fenced = events.filter((event) => "event" in event && event.event === "node_fenced");
      expect(fenced).toHaveLength(2);
      const after = await rows();
      expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
      for (const [at, { epoch }] of after.entries()) {
        expect(Number(epoch)).toBeGreaterThan(Number(before[at]?.epoch) + 1);
      }
      expect(deaths).toEqual([]);
    },
  );

  test("finds it out without traffic, within a second or so", async () => {
    const { writer, events } = await database.open();
    await database.ask("update node set epoch = epoch + 1");
    await vi.waitFor(
      () =>
        expect(events.filter((event) => "event" in event && event.event === "node_fenced")).toHaveLength(2),
      patience,
    );
    await writer.journal.append(blocked(visitOf("r1")));
  });

  test("tells by the server's time that it lives", async () => {
    await database.open();
    const seenAt = async () =>
      (await database.ask<{ at: string }>("select min(seen_at) as at from node"))[0]?.at;
    const [now] = await database.ask<{ now: number }>(
      "select extract(epoch from now())::float8 * 1000 as now",
    );
    const before = Number(await seenAt());
    expect(Math.abs(before - (now?.now ?? 0))).toBeLessThan(10_000);
    await vi.waitFor(async () => expect(Number(await seenAt())).toBeGreaterThan(before), patience);
  });

  test("lives as long as it writes, though it is never idle when it would say so", async () => {
    const { writer } = await database.open();
    await database.ask("update node set seen_at = 0");
    await Promise.all([
      writer.journal.append(blocked(visitOf("r1"))),
      writer.journal.append(hop(visitOf("r2"), 1)),
    ]);
    const unseen = await database.ask("select id from node where seen_at = 0");
    expect(unseen).toEqual([]);
  });
});
