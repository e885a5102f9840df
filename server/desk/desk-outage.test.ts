import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { JournalUnavailable } from "../store/journal/journal.ts";
import { findPostgres, type PostgresServer, startPostgres } from "../testing/postgres-server.ts";
import { startDesk } from "./start-desk.ts";

describe.skipIf(findPostgres() === null)("a desk whose database is away", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
    await server.administer("create database desk");
  });
  afterAll(() => server.remove());

  test("refuses for as long as it is away, ends nobody, and works once it is back", async () => {
    await server.kill();
    const onDeath = vi.fn();
    const desk = startDesk({
      database: {
        engine: "postgres",
        url: server.url("desk"),
        durability: "full",
        needsSyncStandby: false,
        spoolFile: join(tmpdir(), "none.spool"),
      },
      production: false,
      dataDir: tmpdir(),
      geoDatabase: null,
      clock: Date.now,
      onDeath,
    });
    const list = () => desk.ask("listGrants", { publisherId: "publisher_nobody" });
    await expect(list()).rejects.toThrow(JournalUnavailable);
    await expect(list()).rejects.toThrow(JournalUnavailable);
    await server.start();
    expect(await list()).toEqual([]);
    await desk.close();
    expect(onDeath).not.toHaveBeenCalled();
  });
});
