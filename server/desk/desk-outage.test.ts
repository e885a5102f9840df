import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { StorageUnavailable } from "../core/storage-unavailable.ts";
import { advisoryLocks } from "../store/advisory-locks.ts";
import { connect } from "../store/postgres/connect.ts";
import { migrateAt } from "../store/postgres/open-catalogue.ts";
import { findPostgres, type PostgresServer, startPostgres } from "../testing/postgres-server.ts";
import { DeskSilent } from "./desk.ts";
import { startDesk } from "./start-desk.ts";

describe.skipIf(findPostgres() === null)("a desk whose database is away", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
    await server.administer("create database desk");
    // As the store of the service does at its start.
    await migrateAt(server.url("desk"));
  });
  afterAll(() => server.remove());

  const options = () => ({
    database: {
      ...({ engine: "postgres", url: server.url("desk"), durability: "full" } as const),
      ...{ needsSyncStandby: false, spoolFile: join(tmpdir(), "none.spool") },
    },
    ...{ production: false, dataDir: tmpdir(), geoDatabase: null, clock: Date.now, log: () => undefined },
  });

  test("refuses for as long as it is away, ends nobody, and works once it is back", async () => {
    await server.kill();
    const onDeath = vi.fn();
    const desk = startDesk({ ...options(), onDeath });
    const list = () => desk.ask("listGrants", { publisherId: "publisher_nobody" });
    await expect(list()).rejects.toThrow(StorageUnavailable);
    await expect(list()).rejects.toThrow(StorageUnavailable);
    await server.start();
    expect(await list()).toEqual([]);
    const client = await connect({ url: server.url("desk"), name: "tests" });
    await client.query("begin");
    await client.query("lock table advertiser in exclusive mode");
    const by = { kind: "command_line", name: "root" } as const;
    const change = desk.ask("createAdvertiser", { name: "Late" }, by).catch((error: unknown) => error);
    await expect
      .poll(async () => (await client.query("select 1 from pg_locks where not granted")).rowCount)
      .toBe(1);
    await server.kill();
    // Whoever asked must look before they ask again.
    expect(await change).toBeInstanceOf(DeskSilent);
    await server.start();
    await desk.close();
    expect(onDeath).not.toHaveBeenCalled();
  });

  test("works while another program migrates, which nobody who is signed in need wait for", async () => {
    const client = await connect({ url: server.url("desk"), name: "tests" });
    await client.query("select pg_advisory_lock($1)", [advisoryLocks.migrating]);
    const onDeath = vi.fn();
    const desk = startDesk({ ...options(), onDeath });
    expect(await desk.ask("listGrants", { publisherId: "publisher_nobody" })).toEqual([]);
    await client.end();
    await desk.close();
    expect(onDeath).not.toHaveBeenCalled();
  });

  test("refuses where a newer program has closed the database to this one", async () => {
    const onDeath = vi.fn();
    const desk = startDesk({ ...options(), onDeath });
    const close = "update schema_state set oldest_program = oldest_program + 1000000";
    const client = await connect({ url: server.url("desk"), name: "tests" });
    await client.query(close);
    const list = () => desk.ask("listGrants", { publisherId: "publisher_nobody" });
    await expect(list()).rejects.toThrow(StorageUnavailable);
    await client.query(close.replace("+", "-"));
    await client.end();
    expect(await list()).toEqual([]);
    await desk.close();
    expect(onDeath).not.toHaveBeenCalled();
  });

  test("gives up a server that has fallen silent, and works over other connections", async () => {
    const onDeath = vi.fn();
    const desk = startDesk({ ...options(), deadlineMs: 10_000, onDeath });
    const list = () => desk.ask("listGrants", { publisherId: "publisher_nobody" });
    await Promise.all([list(), list(), list()]);
    const client = await connect({ url: server.url("desk"), name: "tests" });
    const { rows } = await client.query<{ pid: number }>(
      "select pid from pg_stat_activity where application_name = 'offers catalogue'",
    );
    expect(rows.length).toBeGreaterThan(1);
    for (const { pid } of rows) process.kill(pid, "SIGSTOP");
    try {
      await expect(list()).rejects.toThrow(DeskSilent);
      expect(await list()).toEqual([]);
    } finally {
      for (const { pid } of rows) process.kill(pid, "SIGCONT");
    }
    await client.end();
    await desk.close();
    expect(onDeath).not.toHaveBeenCalled();
  });

  test("ends nobody when it is closed while more wait than it has connections", async () => {
    const onDeath = vi.fn();
    const desk = startDesk({ ...options(), onDeath });
    await desk.ask("listGrants", { publisherId: "publisher_nobody" });
    const client = await connect({ url: server.url("desk"), name: "tests" });
    await client.query("begin");
    await client.query("lock table advertiser in exclusive mode");
    const by = { kind: "command_line", name: "root" } as const;
    const changes = Array.from({ length: 8 }, (_, n) =>
      desk.ask("createAdvertiser", { name: `Late ${n}` }, by).catch((error: unknown) => error),
    );
    await expect
      .poll(async () => (await client.query("select 1 from pg_locks where not granted")).rowCount)
      .toBe(4);
    const closing = desk.close();
    await client.query("rollback");
    await client.end();
    await closing;
    await Promise.all(changes);
    expect(onDeath).not.toHaveBeenCalled();
  });
});
