import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { findPostgres, type PostgresServer, startPostgres } from "../../testing/postgres-server.ts";
import { advisoryLocks } from "../advisory-locks.ts";
import { askingOn } from "./asking.ts";
import { connect } from "./connect.ts";
import { layout } from "./layout.ts";
import { migrate, requireOpen, type Step } from "./migrate.ts";
import { connectToMigrate } from "./open-catalogue.ts";

const programs = findPostgres();

/** What made-up programs of three versions bring: a table, a column more that nobody needs, and the end of one of before. */
const first: Step = {
  version: 24,
  oldestProgram: 24,
  up: [
    "create table node (id text primary key, epoch bigint not null)",
    "create table move_note (source text, progress_json text, finished_at bigint)",
    "create table note (at bigint not null default 0, told text not null, gone text)",
    "insert into note (told) values ('made')",
  ],
};
const additive: Step = {
  version: 25,
  oldestProgram: 24,
  up: ["alter table note add column more text", "insert into note (told) values ('widened')"],
};
const closing: Step = { version: 26, oldestProgram: 26, up: ["alter table note drop column gone"] };

describe.skipIf(programs === null)("a migration of a PostgreSQL that others use", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres({ programs, settings: { fsync: "off" } });
  });
  afterAll(() => server?.remove());

  let databases = 0;
  const newUrl = async () => {
    databases += 1;
    const name = `migrated_${databases}`;
    await server.administer(`create database ${name}`);
    return server.url(name);
  };
  const until = async (connecting: Promise<Client>) => {
    const one = await connecting;
    onTestFinished(() => one.end().catch(() => undefined));
    return one;
  };
  const newDatabase = async () => {
    const url = await newUrl();
    return () => until(connect({ url, name: "somebody" }));
  };
  type Client = Awaited<ReturnType<typeof connect>>;
  const told = async (client: Client) =>
    (
      await client.query<{ told: string }>("select told from note where told <> 'load' order by told")
    ).rows.map((row) => row.told);

  /** A node of the first program, which writes and reads as fast as it can until it is told to stop. */
  const underLoad = async (client: Client) => {
    let isOver = false;
    const errors: unknown[] = [];
    let written = 0;
    const running = (async () => {
      while (!isOver) {
        try {
          await client.query({
            name: "write",
            text: "insert into note (told, gone) values ($1, 'x')",
            values: ["load"],
          });
          await client.query({ name: "read", text: "select told, gone from note limit 10" });
          written += 1;
        } catch (error) {
          errors.push(error);
        }
      }
    })();
    const awaitMore = async () => {
      const enough = written + errors.length + 20;
      while (written + errors.length < enough) await new Promise((resume) => setImmediate(resume));
    };
    await awaitMore();
    return {
      awaitMore,
      stop: async () => {
        isOver = true;
        await running;
        return { errors };
      },
    };
  };

  it("is done by one of three programs that start together", async () => {
    const client = await newDatabase();
    const starters = await Promise.all([client(), client(), client()]);
    await Promise.all(starters.map((one) => migrate(one, { steps: [first, additive] })));
    expect(await told(starters[0])).toEqual(["made", "widened"]);
  });

  it("lets a program of before go on beside it, and start again, where it is additive", async () => {
    const client = await newDatabase();
    const [older, newer, looker] = [await client(), await client(), await client()];
    await migrate(older, { steps: [first] });
    const load = await underLoad(older);
    await migrate(newer, { steps: [first, additive] });
    await load.awaitMore();
    expect((await load.stop()).errors).toEqual([]);
    await migrate(older, { steps: [first] });
    expect(await told(looker)).toEqual(["made", "widened"]);
  });

  it("refuses a program of before where it closes, and fences those off that are running", async () => {
    const client = await newDatabase();
    const [older, newer, starting] = [await client(), await client(), await client()];
    await migrate(older, { steps: [first] });
    await older.query("insert into node (id, epoch) values ('a node', 7)");
    const load = await underLoad(older);
    await migrate(newer, { steps: [first, additive, closing] });
    await load.awaitMore();
    // What it asks for is not there any more.
    expect((await load.stop()).errors).toContainEqual(expect.objectContaining({ code: "42703" }));
    expect((await newer.query("select epoch from node")).rows).toEqual([{ epoch: 8 }]);
    const refused =
      "the database is newer than this program: its schema is of version 26, which needs a program of version 26 at least, " +
      "and this one has 25; start the version that wrote it, or a later one";
    await expect(migrate(starting, { steps: [first, additive] })).rejects.toThrow(refused);
    await expect(requireOpen(askingOn(older), [first, additive])).rejects.toThrow(refused);
    await migrate(starting, { steps: [first, additive, closing] });
    expect((await newer.query("select epoch from node")).rows).toEqual([{ epoch: 8 }]);
  });

  it("fences one off as well that is registering meanwhile", async () => {
    const client = await newDatabase();
    const [starting, newer, looker] = [await client(), await client(), await client()];
    await migrate(newer, { steps: [first] });
    await starting.query("begin");
    await starting.query("insert into node (id, epoch) values ('a node', 7)");
    const migrating = migrate(newer, { steps: [first, closing] });
    const waiting = () => looker.query("select 1 from pg_locks where not granted");
    await expect.poll(async () => (await waiting()).rowCount).toBe(1);
    await starting.query("commit");
    await migrating;
    expect((await looker.query("select epoch from node")).rows).toEqual([{ epoch: 8 }]);
  });

  it("keeps nobody waiting behind it while a transaction is in its way", async () => {
    const client = await newDatabase();
    const [blocker, older, newer] = [await client(), await client(), await client()];
    await migrate(older, { steps: [first] });
    await blocker.query("begin");
    await blocker.query("select 1 from note");
    const load = await underLoad(older);
    let isDone = false;
    const migrating = migrate(newer, { steps: [first, additive] }).then(() => {
      isDone = true;
    });
    const waiting = async () =>
      (
        await blocker.query(
          "select count(*)::int as waits from pg_locks where not granted and mode = 'AccessExclusiveLock'",
        )
      ).rows[0]?.waits;
    for (let times = 0; times < 3; times += 1) {
      while ((await waiting()) === 0) expect(isDone).toBe(false);
      // Those who came behind it come to their turn though the blocker stays.
      while ((await waiting()) > 0) await load.awaitMore();
    }
    expect(isDone).toBe(false);
    const { errors } = await load.stop();
    await blocker.query("commit");
    await migrating;
    expect(errors).toEqual([]);
    expect(await told(older)).toEqual(["made", "widened"]);
  });

  it("goes on when another one has fallen silent that holds its lock", async () => {
    const url = await newUrl();
    const [silent, next] = [await until(connectToMigrate(url)), await until(connectToMigrate(url))];
    const { rows } = await silent.query(
      "select name, setting::int from pg_settings where name ~ '^idle_(session|in_transaction)' or name = 'tcp_user_timeout' order by 1",
    );
    expect(rows).toEqual([
      { name: "idle_in_transaction_session_timeout", setting: 30_000 },
      { name: "idle_session_timeout", setting: 30_000 },
      { name: "tcp_user_timeout", setting: 5000 },
    ]);
    await silent.query("select pg_advisory_lock($1)", [advisoryLocks.migrating]);
    const onWait = vi.fn();
    const migrating = migrate(next, { steps: [first], onWait });
    await vi.waitFor(() => expect(onWait).toHaveBeenCalledOnce(), { timeout: 10_000 });
    // Shorter, so that nobody has to wait.
    await silent.query("set idle_session_timeout = 1");
    await migrating;
    expect(onWait).toHaveBeenCalledOnce();
    expect(await told(next)).toEqual(["made"]);
  });

  it("takes a step as long as it needs, whatever the role's limit is", async () => {
    const url = await newUrl();
    const limited = await until(connect({ url, name: "somebody" }));
    await limited.query(
      `alter role offers in database ${new URL(url).pathname.slice(1)} set statement_timeout = 100`,
    );
    const slow: Step = { ...first, up: [...first.up, "select pg_sleep(0.2)"] };
    await expect(migrate(await until(connect({ url, name: "somebody" })), { steps: [slow] })).rejects.toThrow(
      "statement timeout",
    );
    const client = await until(connectToMigrate(url));
    await migrate(client, { steps: [slow] });
    expect(await told(client)).toEqual(["made"]);
  });

  it("leaves the version before where it is cut off in the middle of a step", async () => {
    const client = await newDatabase();
    const [older, newer, killer] = [await client(), await client(), await client()];
    await migrate(older, { steps: [first] });
    const stuck: Step = { ...additive, up: [...additive.up, "select pg_sleep(60)"] };
    const { rows } = await newer.query<{ pid: number }>("select pg_backend_pid() as pid");
    const migrating = migrate(newer, { steps: [first, stuck] });
    const outcome = expect(migrating).rejects.toThrow();
    const asleep = "select 1 from pg_stat_activity where pid = $1 and wait_event = 'PgSleep'";
    while ((await killer.query(asleep, [rows[0]?.pid])).rows.length === 0);
    await killer.query("select pg_terminate_backend($1)", [rows[0]?.pid]);
    await outcome;
    expect(await told(older)).toEqual(["made"]);
    expect(await requireOpen(askingOn(older), [first])).toBe(24);
    await migrate(older, { steps: [first, additive] });
    expect(await told(older)).toEqual(["made", "widened"]);
  });

  it("takes the numbers of another server's transactions from rows that were restored, and from no other", async () => {
    const client = await newDatabase();
    const one = await client();
    await migrate(one);
    await one.query(
      "insert into dismissal (day, visitor, xid) values (1, '\\x01', 4611686018427387904), (1, '\\x02', default)",
    );
    const xids = async () =>
      (await one.query<{ xid: number }>("select xid from dismissal order by visitor")).rows.map(
        ({ xid }) => xid,
      );
    const [, own] = await xids();
    await migrate(one);
    expect(await xids()).toEqual([0, own]);
    expect(own).toBeGreaterThan(0);
  });

  it("tells the moments of beacons and hops from that of their fact", async () => {
    const client = await (await newDatabase())();
    await migrate(client, { steps: [{ version: 25, oldestProgram: 25, up: layout() }] });
    await client.query(`insert into fact (request, offer, type, seq, cell, at, beacon_at, hop_at)
      values ('\\x01', 3, 3, 0, 1, 1000, 1000, null), ('\\x01', 3, 4, 0, 1, 1000, 1040, 1000), ('\\x02', 3, 3, 0, 1, 7, null, null)`);
    await migrate(client);
    const { rows } = await client.query("select beacon_after, hop_after from fact order by request, type");
    expect(rows.map(({ beacon_after, hop_after }) => [beacon_after, hop_after])).toEqual([
      [0, null],
      [40, 0],
      [null, null],
    ]);
  });
});
