import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { findPostgres, type PostgresServer, startPostgres } from "../../testing/postgres-server.ts";
import {
  blocked,
  hashOf,
  hop,
  impression,
  morning,
  served,
  visitOf,
} from "../conformance/journal-for-tests.ts";
import { connect } from "./connect.ts";
import { clickMicros, newWriterDatabase, startLoad } from "./writer-for-tests.ts";
import { writerSettings } from "./writer-settings.ts";

const patience = { timeout: 30_000, interval: 5 };

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
    expect(load.unbilled).toEqual([]);
    expect(await database.spent()).toBe(clicks.size * clickMicros);
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

  test("loses and doubles nothing while the server dies and recovers twice under load", {
    timeout: 60_000,
  }, async () => {
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

  test("without a server refuses in a moment, says so once, and is back when the server is", {
    timeout: 60_000,
  }, async () => {
    const database = await newDatabase();
    const { writer, events } = await database.open();
    await server.kill();
    try {
      // Nobody has sent anything: it is found out all the same.
      await vi.waitFor(() => expect(writer.isRefusing()).toBe(true), patience);
      const sentAt = performance.now();
      await expect(writer.journal.append(blocked(visitOf("r1")))).rejects.toMatchObject({
        name: "StorageUnavailable",
        retryAfterSeconds: 1,
      });
      expect(performance.now() - sentAt).toBeLessThan(900);
    } finally {
      await server.start();
    }
    await vi.waitFor(() => expect(writer.isRefusing()).toBe(false), patience);
    await writer.journal.append(blocked(visitOf("r2")));
    expect([...(await database.stored("blocked")).keys()]).toEqual([visitOf("r2").request]);
    const told = events.flatMap((event) =>
      "lane" in event && event.lane === "plain" && "message" in event ? [event.message] : [],
    );
    expect(told.length).toBeGreaterThan(0);
    expect(told.filter((message, at) => message === told[at - 1])).toEqual([]);
  });

  test("acknowledges nothing once a reload has relaxed the server's settings, until they are whole again", {
    timeout: 60_000,
  }, async () => {
    const database = await newDatabase();
    const { writer, events, deaths } = await database.open();
    const reload = async (change: string): Promise<void> => {
      await server.administer(`alter system ${change}`);
      await server.administer("select pg_reload_conf()");
    };
    // Never idle: it is found out between two batches.
    const load = startLoad(writer, "s");
    await vi.waitFor(() => expect(load.acknowledged.click.size).toBeGreaterThan(50), patience);
    try {
      await reload("set synchronous_commit = 'off'");
      await vi.waitFor(() => expect(writer.isRefusing()).toBe(true), patience);
      for (const lane of ["plain", "money"]) {
        await vi.waitFor(
          () =>
            expect(events).toContainEqual({
              ...{ event: "database_away", lane },
              message: expect.stringMatching(/not fit to record money: synchronous_commit is off/),
            }),
          patience,
        );
      }
      for (const entry of [blocked(visitOf("r1")), hop(visitOf("r2"), 1)]) {
        await expect(writer.journal.append(entry)).rejects.toMatchObject({ name: "StorageUnavailable" });
      }
    } finally {
      await reload("reset synchronous_commit");
    }
    await vi.waitFor(() => expect(writer.isRefusing()).toBe(false), patience);
    const until = load.acknowledged.click.size + 50;
    await vi.waitFor(() => expect(load.acknowledged.click.size).toBeGreaterThan(until), patience);
    await load.stop();
    await vi.waitFor(() => expect(writer.journal.waiting()).toBe(0), patience);
    await expectNothingLost(database, load);
    expect(events).toContainEqual({ event: "database_settings_changed", lane: "money" });
    expect(deaths).toEqual([]);
  });

  test("a node that stops with an offer's lock in its hands holds up clicks, and nothing else", async () => {
    const database = await newDatabase();
    const { writer, events } = await database.open();
    const click = async (name: string) => {
      await writer.journal.append(served(visitOf(name), [1]));
      return writer.journal.append(hop(visitOf(name), 1));
    };
    expect(await click("r1")).toMatchObject({ billedMicros: clickMicros });
    const stopped = await connect({
      url: server.url(database.name),
      name: "stopped",
      settings: writerSettings,
    });
    const ended = new Promise((resolve) => stopped.once("end", resolve));
    await stopped.query("begin");
    await stopped.query("select * from spend for no key update");
    const held = click("r2");
    let isHeld = true;
    const free = held.finally(() => {
      isHeld = false;
    });
    const waits: number[] = [];
    for (let number = 0; isHeld; number++) {
      const sentAt = performance.now();
      await writer.journal.append(blocked(visitOf(`p${number}`)));
      await writer.journal.append(served(visitOf(`p${number}`), [1]));
      // Each view comes with its network, also where nothing is billed by it.
      const viewer = { visitor: null, network: hashOf("n") };
      await writer.journal.append(impression(visitOf(`p${number}`), 1, [], viewer));
      if (isHeld) waits.push(performance.now() - sentAt);
      expect(writer.isRefusing()).toBe(false);
    }
    // The server has thrown the other one out, and the click was not too late.
    await ended;
    expect(await free).toMatchObject({ billedMicros: clickMicros });
    expect(events).toContainEqual({ event: "journal_refused", code: "55P03" });
    waits.sort((one, other) => one - other);
    expect(waits.length).toBeGreaterThan(20);
    expect(waits[Math.floor(waits.length / 2)]).toBeLessThan(200);
    expect(await database.spent()).toBe(2 * clickMicros);
  });

  test("an entry that cannot be stored fails alone, among those that came with it", async () => {
    const database = await newDatabase();
    const { writer, deaths } = await database.open();
    const bad = { ...blocked(visitOf("bad")), vertical: "with a NUL \0 inside" };
    const settled = await Promise.allSettled([
      ...["a", "b", "c"].map((name) => writer.journal.append(blocked(visitOf(name)))),
      writer.journal.append(bad),
      ...["d", "e"].map((name) => writer.journal.append(blocked(visitOf(name)))),
    ]);
    expect(settled.map(({ status }) => status)).toEqual([
      ...["fulfilled", "fulfilled", "fulfilled"],
      "rejected",
      ...["fulfilled", "fulfilled"],
    ]);
    expect(settled[3]).toMatchObject({
      reason: { message: expect.stringContaining("could not be recorded") },
    });
    expect((await database.stored("blocked")).size).toBe(5);
    expect(writer.isRefusing()).toBe(false);
    expect(deaths).toEqual([]);
  });

  test("decisions wait on this machine while the server is away, and outlive the process", {
    timeout: 60_000,
  }, async () => {
    const database = await newDatabase();
    const first = await database.open();
    const { spoolFile } = first;
    await server.kill();
    try {
      await vi.waitFor(() => expect(first.writer.isRefusing()).toBe(true), patience);
      const [handed] = served(visitOf("r2"), [1]).offers;
      const kept = [blocked(visitOf("r1")), { ...blocked(visitOf("r2")), ...(handed && { offer: handed }) }];
      for (const entry of kept) expect(await first.writer.journal.keep(entry, 0)).toBe("pending");
      await first.writer.drain();
      await first.writer.close();
      expect(first.events).not.toContainEqual(expect.objectContaining({ event: "journal_entries_lost" }));
    } finally {
      await server.start();
    }
    const second = await database.open({ spoolFile });
    await vi.waitFor(() => expect(second.writer.journal.waiting()).toBe(0), patience);
    expect([...(await database.stored("blocked"))].sort()).toEqual([
      [visitOf("r1").request, 1],
      [visitOf("r2").request, 1],
    ]);
    expect(await second.writer.journal.append(hop(visitOf("r2", { at: morning + 1000 }), 1))).toMatchObject({
      billedMicros: clickMicros,
    });
  });
});
