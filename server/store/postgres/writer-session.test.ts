import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { findPostgres, type PostgresServer, startPostgres } from "../../testing/postgres-server.ts";
import { blocked, visitOf } from "../conformance/journal-for-tests.ts";
import { newWriterDatabase } from "./writer-for-tests.ts";

const patience = { timeout: 15_000, interval: 5 };

describe.skipIf(findPostgres() === null)("a server whose settings may lose what it has acknowledged", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres({ settings: { fsync: "off", full_page_writes: "off" } });
  });
  afterAll(() => server.remove());

  test("is refused in words that say what to change", async () => {
    const database = await newWriterDatabase(server);
    await expect(database.open()).rejects.toThrow(
      /not fit to record money: fsync is off: .*ALTER SYSTEM SET fsync = 'on'.* full_page_writes is off.*DURABILITY=relaxed/,
    );
    expect(await database.ask("select * from node")).toEqual([]);
    await database.close();
  });

  test("is used where the operator has allowed it, who is told", async () => {
    const database = await newWriterDatabase(server);
    const { writer, events } = await database.open({ durability: "relaxed" });
    await writer.journal.append(blocked(visitOf("r1")));
    expect(writer.warnings()).toEqual([expect.stringContaining("DURABILITY is relaxed")]);
    expect(events).toContainEqual({
      event: "durability_relaxed",
      warnings: [expect.stringMatching(/^fsync is off/), expect.stringMatching(/^full_page_writes is off/)],
    });
    await database.close();
  });

  test("is told anew to the operator who has allowed it when a reload changes it", async () => {
    const database = await newWriterDatabase(server);
    const { writer, events } = await database.open({ durability: "relaxed" });
    const reload = async (change: string): Promise<void> => {
      await server.administer(`alter system ${change}`);
      await server.administer("select pg_reload_conf()");
    };
    const told = () =>
      events.flatMap((event) => ("warnings" in event && "lane" in event ? [event.warnings] : [])).at(-1);
    const [ofFsync, ofPages] = [
      expect.stringMatching(/^fsync is off/),
      expect.stringMatching(/^full_page_writes is off/),
    ];
    try {
      await reload("set synchronous_commit = 'local'");
      const ofCommits = expect.stringMatching(/^synchronous_commit is local/);
      await vi.waitFor(() => expect(told()).toEqual([ofFsync, ofPages, ofCommits]), patience);
      await writer.journal.append(blocked(visitOf("r1")));
    } finally {
      await reload("reset synchronous_commit");
    }
    await vi.waitFor(() => expect(told()).toEqual([ofFsync, ofPages]), patience);
    await writer.journal.append(blocked(visitOf("r2")));
    await database.close();
  });

  test("is refused for what a database has set of its own as well, and for a standby that is asked for", async () => {
    const database = await newWriterDatabase(server);
    await database.ask(`alter database ${database.name} set synchronous_commit = 'local'`);
    await expect(database.open({ needsSyncStandby: true })).rejects.toThrow(
      /synchronous_commit is local.*REQUIRE_SYNC_STANDBY is set and no commit waits for a standby/,
    );
    await database.close();
  });

  test("a database in another encoding is refused whatever the operator allows", async () => {
    const database = await newWriterDatabase(server);
    const other = `${database.name}_latin`;
    await server.administer(`create database ${other} encoding 'LATIN1' template template0 locale 'C'`);
    await expect(database.open({ url: server.url(other), durability: "relaxed" })).rejects.toThrow(
      /encoding is LATIN1.*ENCODING 'UTF8'/,
    );
    await server.administer(`drop database ${other} with (force)`);
    await database.close();
  });
});
