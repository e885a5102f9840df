import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { findPostgres, type PostgresServer, startPostgres } from "../../testing/postgres-server.ts";
import { migrateAt } from "./open-catalogue.ts";
import { prepareRateWindows, type RateWindows } from "./rate-windows.ts";

let server: PostgresServer;
let client: pg.Client;
const opened: RateWindows[] = [];
const url = () => server.url("limits");

const open = async (more: { beatMs?: number; sweepMs?: number } = {}): Promise<RateWindows> => {
  const windows = prepareRateWindows(url(), more);
  opened.push(windows);
  await windows.open();
  return windows;
};
const keyOf = (number: number) => number.toString(16).padStart(32, "0");
/** PostgreSQL's code of a statement that it ended to let another one go on. */
const deadlock = "40P01";
const counted = async () => {
  const { rows } = await client.query("select encode(key, 'hex') as key, window_no, calls from rate_window");
  return rows;
};

describe.skipIf(findPostgres() === null)("counts of calls in PostgreSQL", () => {
  beforeAll(async () => {
    server = await startPostgres();
    await server.administer("create database limits");
    // Found before a statement's own second is over: each has a code of its own then.
    await server.administer("alter database limits set deadlock_timeout = '100ms'");
    await migrateAt(url());
  }, 60_000);
  afterAll(() => server.remove());
  beforeEach(async () => {
    client = new pg.Client({ connectionString: url() });
    client.on("error", () => undefined);
    await client.connect();
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((windows) => windows.close()));
    await client.query("truncate rate_window, node");
    await client.end();
  });

  it("stand at the calls of all nodes, each key and window apart", async () => {
    const [one, other] = [await open(), await open()];
    expect(await one.add(new Map([[keyOf(1), 2]]), 100)).toEqual(new Map([[keyOf(1), 2]]));
    const answer = await other.add(
      new Map([
        [keyOf(9), 0],
        [keyOf(1), 3],
        [keyOf(2), 1],
      ]),
      100,
    );
    expect(Object.fromEntries(answer)).toEqual({ [keyOf(1)]: 5, [keyOf(2)]: 1, [keyOf(9)]: 0 });
    expect(await one.add(new Map([[keyOf(1), 1]]), 101)).toEqual(new Map([[keyOf(1), 1]]));
    await other.forget(keyOf(1), 100);
    expect(await one.add(new Map([[keyOf(1), 1]]), 100)).toEqual(new Map([[keyOf(1), 1]]));
    expect(await counted()).toHaveLength(4);
  });

  it("miss none of the calls that come together, and no two nodes stand in each other's way", async () => {
    const keys = Array.from({ length: 60 }, (_, key) => keyOf(key * 7919));
    // Once more, in another window, as often as one was answered too late, since the machine stood still: ten times at the most.
    for (let window = 100; window < 110; window += 1) {
      // Their own sweep would take these windows, which ended long ago.
      const nodes = await Promise.all(Array.from({ length: 4 }, () => open({ sweepMs: 3_600_000_000 })));
      const turns = nodes.flatMap((node, at) =>
        Array.from({ length: 50 }, async () => {
          // Each names them in another order.
          const inOrder = [...keys.slice(at * 15), ...keys.slice(0, at * 15)];
          await node.add(new Map(inOrder.map((key) => [key, 1])), window);
        }),
      );
      const outcomes = await Promise.allSettled(turns);
      const refused = outcomes.flatMap((one) => (one.status === "rejected" ? [one.reason.code] : []));
      expect(refused).not.toContain(deadlock);
      if (refused.length > 0) continue;
      const rows = (await counted()).filter(({ window_no }) => Number(window_no) === window);
      expect(rows.map(({ calls }) => Number(calls))).toEqual(Array(60).fill(200));
      return;
    }
    expect.unreachable("ten times in a row a healthy server did not answer in time");
  }, 60_000);

  it("tell the server's time, whatever this machine's clock says, and the nodes that were seen lately", async () => {
    const seen = "extract(epoch from clock_timestamp())::bigint * 1000";
    await client.query(
      `insert into node (id, epoch, seen_at) values ('a', 1, ${seen}), ('b', 1, ${seen} - 4000), ('c', 1, ${seen} - 20000)`,
    );
    const real = Date.now;
    Date.now = () => real() - 3_600_000;
    try {
      const windows = await open();
      expect(windows.nodes()).toBe(2);
      expect(Math.abs(windows.clock() - real())).toBeLessThan(60_000);
    } finally {
      Date.now = real;
    }
    await client.query("truncate node");
    expect((await open()).nodes()).toBe(1);
  });

  it("reject where the server says nothing more, and go on over another connection", async () => {
    const windows = await open({ beatMs: 20 });
    const { rows } = await client.query<{ pid: number }>(
      "select pid from pg_stat_activity where application_name = 'offers limits'",
    );
    const [backend] = rows;
    if (backend === undefined) throw new Error("there is no connection");
    process.kill(backend.pid, "SIGSTOP");
    const asked = [1, 2, 3].map((key) => windows.add(new Map([[keyOf(key), 1]]), 100));
    const outcomes = await Promise.allSettled(asked);
    process.kill(backend.pid, "SIGCONT");
    expect(outcomes.map(({ status }) => status)).toEqual(Array(3).fill("rejected"));
    const again = () => windows.add(new Map([[keyOf(9), 1]]), 100);
    await vi.waitFor(async () => expect((await again()).get(keyOf(9))).toBeGreaterThan(0), 10_000);
  });

  it("are removed once their window has ended, and no sooner", async () => {
    const minute = Math.floor(Date.now() / 60_000);
    const windows = await open({ beatMs: 20, sweepMs: 1 });
    for (const window of [minute - 30, minute - 3, minute + 1, minute + 15]) {
      await windows.add(new Map([[keyOf(1), 1]]), window);
    }
    const left = async () => (await counted()).map(({ window_no }) => Number(window_no)).sort();
    await vi.waitFor(async () => expect(await left()).toEqual([minute + 1, minute + 15]), 10_000);
    await windows.close();
  });

  it("lie on no disk, and hold nothing but a name, a window and a number", async () => {
    const { rows } = await client.query("select relpersistence from pg_class where relname = 'rate_window'");
    expect(rows).toEqual([{ relpersistence: "u" }]);
    const windows = await open();
    await windows.add(new Map([[keyOf(1), 1]]), 100);
    expect(await counted()).toEqual([{ key: keyOf(1), window_no: "100", calls: "1" }]);
  });
});
