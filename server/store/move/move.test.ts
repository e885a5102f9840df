import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { findPostgres, type PostgresServer, startPostgres } from "../../testing/postgres-server.ts";
import { advisoryLocks } from "../advisory-locks.ts";
import { connect } from "../postgres/connect.ts";
import { migrate } from "../postgres/migrate.ts";
import { migrateAt } from "../postgres/open-catalogue.ts";
import { openDatabase as openFile } from "../sqlite/database.ts";
import { newInstallation, noon } from "./installation-for-tests.ts";
import { moveToPostgres } from "./move.ts";

const programs = findPostgres();

describe.skipIf(programs === null)("a move into PostgreSQL", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres({ programs, settings: { fsync: "off" } });
  });
  afterAll(() => server?.remove());

  let databases = 0;
  const newTarget = async () => {
    databases += 1;
    const name = `target_${databases}`;
    await server.administer(`create database ${name}`);
    const url = server.url(name);
    const client = async () => {
      const one = await connect({ url, name: "somebody else" });
      onTestFinished(() => one.end().catch(() => undefined));
      return one;
    };
    return { url, client };
  };
  const installed = async (options?: Parameters<typeof newInstallation>[0]) => {
    const installation = await newInstallation(options);
    onTestFinished(installation.remove);
    const said: string[] = [];
    const move = (to: string) =>
      moveToPostgres({ source: installation.source, to, clock: () => noon, say: (text) => said.push(text) });
    return { ...installation, said, move };
  };

  it("has every row, sum and report of the source, and numbers that go on", async () => {
    const { move, beside } = await installed();
    const { url, client } = await newTarget();
    const moved = await move(url);
    expect(moved.checks.filter(({ agrees }) => !agrees)).toEqual([]);
    expect(moved.checks.map(({ what }) => what)).toEqual([
      "rows of 45 tables",
      "recount",
      "audit",
      "balances",
      "ledger",
      "reports",
    ]);
    expect(moved.checks[1]?.source).toMatch(/^[1-9]\d* cells, 0 differ$/);
    expect(moved.isWhole).toBe(true);
    await migrateAt(url);
    const target = await client();
    const rowsOf = async (text: string) => (await target.query({ text, rowMode: "array" })).rows.flat();
    expect(
      await rowsOf("select deposited_micros, name from advertiser where id = 'advertiser_rich'"),
    ).toEqual(["9007199254740993", `\\x41 "quoted"\n\tÄ 漢 🙂 \\N`]);
    expect(await rowsOf("select rate from currency_rate order by currency")).toEqual([0.1 + 0.2, null]);
    expect(await rowsOf("select website_id, sessions from decline_kept order by 1")).toEqual([0, 3, 1, 3]);
    const salts = await beside((db) => db.selectFrom("visitor_salt").select("salt").orderBy("day").execute());
    expect(salts).toHaveLength(3);
    expect(await rowsOf("select salt from visitor_salt order by day")).toEqual(salts.map(({ salt }) => salt));
    const next = await rowsOf(
      `insert into "user" (email, name, created_at) values ('new@pier.example', 'N', 1) returning id`,
    );
    expect(next).toEqual([3]);
    expect(await rowsOf("select count(*) from detail_delta")).toEqual([0]);
  });

  it("goes on with the page after the last one when it was killed, also in the middle of a table, twice", async () => {
    const { move, directory, said, beside } = await installed({ visits: 3000 });
    // As many batches as no new server has had transactions.
    await beside((db) =>
      db
        .updateTable("rate_count")
        .set({ changed: 2 ** 40 })
        .execute(),
    );
    await beside((db) =>
      db
        .updateTable("rate_version")
        .set({ version: 2 ** 40 })
        .execute(),
    );
    const { url, client } = await newTarget();
    const [holder, looker] = [await client(), await client()];
    await migrate(holder, { isMoving: true });
    // Whoever writes while the lock is held stands still there: before the first line, and after the first page of facts.
    await holder.query(`create function stop_here() returns trigger language plpgsql as $$
      begin perform pg_advisory_xact_lock_shared(case tg_table_name when 'ledger_line' then 1
        when 'fact' then (select case when count(*) >= 5000 then 2 else 3 end from fact) end); return null; end $$`);
    for (const table of ["ledger_line", "fact"]) {
      await holder.query(
        `create trigger stop before insert on ${table} for each statement execute function stop_here()`,
      );
    }
    for (const place of [1, 2]) {
      await holder.query("select pg_advisory_lock($1)", [place]);
      const mover = spawn(process.execPath, ["server/admin/main.ts", "move", "--to", url], {
        cwd: join(import.meta.dirname, "../../.."),
        env: { PATH: process.env.PATH, DATA_DIR: directory, DURABILITY: "relaxed" },
        stdio: ["ignore", "pipe", "pipe"],
      });
      let text = "";
      for (const stream of [mover.stdout, mover.stderr]) stream.on("data", (part) => (text += part));
      const exited = once(mover, "exit");
      const waits = "select count(*)::int as waits from pg_locks where locktype = 'advisory' and not granted";
      while ((await looker.query(waits)).rows[0]?.waits === 0) expect(mover.exitCode, text).toBeNull();
      mover.kill("SIGKILL");
      await exited;
      await expect(migrateAt(url)).rejects.toThrow("a move into this database has not finished");
      await holder.query("select pg_advisory_unlock($1)", [place]);
    }
    const facts = async () => (await looker.query("select count(*) as rows from fact")).rows[0]?.rows;
    expect(await facts()).toBe(5000);
    const moved = await move(url);
    expect(said.filter((line) => line.includes("going on"))).toEqual([
      expect.stringMatching(/^fact: going on after 5000 of \d+ rows$/),
    ]);
    expect(moved.isWhole).toBe(true);
    expect(moved.rows).toBe((await facts()) - 5000);
    await migrateAt(url);
  }, 60_000);

  it("says where the sides differ, and leaves a target that nobody can serve from", async () => {
    const { move } = await installed();
    const { url, client } = await newTarget();
    const other = await client();
    await migrate(other, { isMoving: true });
    await other.query(`create function cheat() returns trigger language plpgsql as $$
      begin new.micros = new.micros - 1; return new; end $$`);
    await other.query(
      "create trigger cheat before insert on ledger_line for each row when (new.id = 7) execute function cheat()",
    );
    const moved = await move(url);
    expect(moved.isWhole).toBe(false);
    expect(moved.checks.filter(({ agrees }) => !agrees).map(({ what }) => what)).toEqual([
      "rows of 45 tables",
      "rows of ledger_line, from 7 on",
      "audit",
      "ledger",
    ]);
    await expect(migrateAt(url)).rejects.toThrow("has not finished");
  });

  it("names the rows with a text that PostgreSQL does not take, before anything is copied", async () => {
    const { move, beside } = await installed();
    await beside((db) => db.updateTable("publisher").set({ name: "a\0b" }).execute());
    await beside((db) => db.updateTable("website").set({ name: "\0" }).where("id", "=", 2).execute());
    const { url, client } = await newTarget();
    await expect(move(url)).rejects.toThrow(
      /nothing was copied.*:\npublisher \(1\): name\nwebsite \(2\): name$/s,
    );
    const { rows } = await (await client()).query("select (select count(*) from move_note) as notes");
    expect(rows).toEqual([{ notes: 0 }]);
  });

  it.each([
    [
      "has rows of others",
      async (client: Client) =>
        void (await client.query(
          "insert into publisher (id, name, public_key, created_at, changed) values ('p', 'p', 'p', 1, 1)",
        )),
      "the target is not empty: it has rows in publisher",
    ],
    [
      "is used by a service",
      async (client: Client) => void (await client.query("set application_name = 'offers reader'")),
      "a service uses the target already (offers reader)",
    ],
    [
      "is being moved into",
      async (client: Client) =>
        void (await client.query("select pg_advisory_lock($1)", [advisoryLocks.moving])),
      "another move into the target is under way",
    ],
  ])("refuses a target that %s", async (_, occupy, says) => {
    const { move } = await installed();
    const { url, client } = await newTarget();
    const other = await client();
    await migrate(other);
    await occupy(other);
    await expect(move(url)).rejects.toThrow(says);
  });

  it("goes on with the very state alone that it began with, and changes nothing once it has finished", async () => {
    const { move, beside, said } = await installed();
    const { url, client } = await newTarget();
    const other = await client();
    await migrate(other, { isMoving: true });
    await other.query("alter table ledger_line add constraint no check (id <> 5)");
    await expect(move(url)).rejects.toThrow(
      /^ledger_line, after 0 rows: .* the same command goes on from there$/,
    );
    await other.query("alter table ledger_line drop constraint no");
    const rename = (name: string) => beside((db) => db.updateTable("publisher").set({ name }).execute());
    await rename("Pier, renamed");
    const changed = "of another source, or of this one before it was changed";
    await expect(move(url)).rejects.toThrow(changed);
    const stranger = await installed({ visits: 5 });
    await expect(stranger.move(url)).rejects.toThrow(changed);
    await rename("Pier");
    expect(await move(url)).toMatchObject({ isWhole: true });
    await other.query("update publisher set name = 'Pier, served from here'");
    expect(await move(url)).toMatchObject({ rows: 0, isWhole: true });
    expect(said.at(-1)).toContain("has been moved into the target already");
    const { rows } = await other.query("select distinct name from publisher");
    expect(rows).toEqual([{ name: "Pier, served from here" }]);
    await rename("Pier, changed since");
    await expect(move(url)).rejects.toThrow("has finished already");
  });

  it("refuses a source that somebody has open", async () => {
    const { move, file } = await installed();
    const open = openFile({ file, durability: "relaxed" });
    onTestFinished(() => open.db.destroy());
    const { url } = await newTarget();
    await expect(move(url)).rejects.toThrow(`${file} is in use: stop the service`);
  }, 20_000);

  it("refuses a server that may lose what it has acknowledged, unless that is allowed", async () => {
    const { source } = await installed({ visits: 1 });
    const { url } = await newTarget();
    const moving = {
      source: { ...source, durability: "full" as const },
      to: url,
      clock: () => noon,
      say: () => undefined,
    };
    await expect(moveToPostgres(moving)).rejects.toThrow("not fit to record money: fsync is off");
  });

  it("refuses a target that cannot be reached", async () => {
    const { move } = await installed({ visits: 1 });
    await expect(move("postgres://offers@127.0.0.1:1/none")).rejects.toThrow(
      "no PostgreSQL server takes writes",
    );
  });
});

type Client = Awaited<ReturnType<typeof connect>>;
