import { rateLimits } from "@offers/contract/endpoints";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Log } from "./core/log-events.ts";
import type { SharedWindows } from "./core/shared-windows.ts";
import { createTokenKeys } from "./core/token-keys.ts";
import { parseAddress } from "./http/client-address.ts";
import { type Turn, visitorKey } from "./http/rate-limits.ts";
import { createLimits } from "./limits.ts";
import { migrateAt } from "./store/postgres/open-catalogue.ts";
import { prepareRateWindows, type RateWindows } from "./store/postgres/rate-windows.ts";
import { findPostgres, type PostgresServer, startPostgres } from "./testing/postgres-server.ts";

const limit = rateLimits.decision;
const nodeCount = 4;
const tokenKeys = createTokenKeys({ current: "a secret that all nodes have" });

let server: PostgresServer;
let operator: pg.Client;
const opened: RateWindows[] = [];
const url = () => server.url("limits");

const connectOperator = async (): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: url() });
  client.on("error", () => undefined);
  await client.connect();
  for (let node = 0; node < nodeCount; node += 1) {
    await client.query(
      `insert into node (id, epoch, seen_at) values ($1, 1, extract(epoch from now() + interval '1 hour')::bigint * 1000)
        on conflict do nothing`,
      [`node ${node}`],
    );
  }
  return client;
};

/** Four nodes, each with a connection of its own; their minute does not end while a test runs. */
const startNodes = async (minute: number) => {
  const troubles: string[] = [];
  const log: Log = ({ event }) => troubles.push(event);
  const nodes = [];
  for (let node = 0; node < nodeCount; node += 1) {
    const windows = prepareRateWindows(url());
    opened.push(windows);
    await windows.open();
    expect(windows.nodes()).toBe(nodeCount);
    const inOneMinute: SharedWindows = { ...windows, clock: () => minute * 60_000 + 5_000 };
    nodes.push(createLimits(inOneMinute, { rateLimitFactor: 1, tokenKeys, log }).rateLimits);
  }
  return { nodes, troubles };
};

/** How many nodes count apart just now, by what they have said. */
const apart = (troubles: readonly string[]): number =>
  troubles.reduce((count, event) => count + (event === "limits_apart" ? 1 : -1), 0);

/** One call after the other at each node in turn, from ever another address of one /64. */
const flood = async (
  nodes: Awaited<ReturnType<typeof startNodes>>["nodes"],
  times: number,
  { at, happens }: { at: number; happens: () => unknown } = { at: -1, happens: () => undefined },
): Promise<Turn[]> => {
  const all: Promise<Turn>[] = [];
  for (let call = 0; call < times; call += 1) {
    const client = parseAddress(`2001:db8:0:1::${call.toString(16)}`);
    const node = nodes[call % nodes.length];
    if (client === null || node === undefined) throw new Error("no caller or no node");
    if (call === at) happens();
    all.push(Promise.resolve(node.take("decision", visitorKey(7, client))));
    // Some at once, and then the answers of the others.
    if (call % 16 === 15) await new Promise((resume) => setImmediate(resume));
    if (call % 64 === 63) await all.at(-1);
  }
  return Promise.all(all);
};
/** Ever other callers at each node, until something is so. */
const callUntil = async (
  nodes: Awaited<ReturnType<typeof startNodes>>["nodes"],
  isSo: () => boolean,
): Promise<void> => {
  for (let caller = 0; !isSo(); caller += 1) {
    for (const node of nodes) for (const _ of [1, 2]) await node.take("click", `caller ${caller}`);
    await new Promise((resume) => setTimeout(resume, 50));
  }
};
const admitted = (turns: readonly Turn[]) => turns.filter((turn) => turn.admitted).length;
/** As often as one of the nodes was answered too late, since the machine stood still: ten times at the most. */
const again = async (run: (turn: number) => Promise<readonly string[]>): Promise<void> => {
  for (let turn = 0; turn < 10; turn += 1) if ((await run(turn)).length === 0) return;
  expect.unreachable("ten times in a row a healthy server did not answer in time");
};

describe.skipIf(findPostgres() === null)("one limit over four nodes on PostgreSQL", () => {
  beforeAll(async () => {
    server = await startPostgres();
    await server.administer("create database limits");
    await migrateAt(url());
    operator = await connectOperator();
  }, 60_000);
  afterAll(async () => {
    await operator.end().catch(() => undefined);
    await server.remove();
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((windows) => windows.close()));
  });

  it("lets in 60 of 2,000 calls whose addresses rotate within a /64, and writes none of these down", async () => {
    await again(async (turn) => {
      const minute = 1000 + turn;
      const { nodes, troubles } = await startNodes(minute);
      const turns = await flood(nodes, 2000);
      if (troubles.length > 0) return troubles;
      expect(admitted(turns)).toBeGreaterThanOrEqual(limit);
      expect(admitted(turns)).toBeLessThanOrEqual(limit + nodeCount);
      // A window has the number of the minute that it ends with.
      const { rows } = await operator.query<{ key: Buffer }>(
        "select key from rate_window where window_no = $1",
        [minute + 1],
      );
      expect(rows).toHaveLength(1);
      expect(rows[0]?.key).toHaveLength(16);
      return troubles;
    });
  });

  it("keeps nobody waiting where the table is locked, and lets in the same", async () => {
    const { nodes, troubles } = await startNodes(2000);
    await operator.query("begin");
    await operator.query("lock table rate_window in access exclusive mode");
    // All are answered though the lock is held for as long as that takes.
    const turns = await flood(nodes, 2000).finally(() => operator.query("rollback"));
    expect(admitted(turns)).toBeLessThanOrEqual(limit + nodeCount);
    expect(admitted(turns)).toBeGreaterThanOrEqual(limit);
    expect(troubles).toEqual(Array(nodeCount).fill("limits_apart"));
  });

  it("keeps nobody waiting where the server is killed midway, and counts together again once it is back", async () => {
    const { nodes, troubles } = await startNodes(3000);
    let killed: Promise<void> | undefined;
    const turns = await flood(nodes, 2000, {
      at: 32,
      happens: () => {
        killed = server.kill();
      },
    });
    await killed;
    // Some were counted together before and are counted apart after: once more the limit at the most.
    expect(admitted(turns)).toBeLessThanOrEqual(2 * limit);
    expect(admitted(turns)).toBeGreaterThanOrEqual(30);
    // A node whose last answer came before the server fell learns of it by its next callers.
    await callUntil(nodes, () => apart(troubles) === nodeCount);
    await server.start();
    operator = await connectOperator();
    await again(async (turn) => {
      await callUntil(nodes, () => apart(troubles) === 0);
      const before = troubles.length;
      const others: Turn[] = [];
      for (let call = 0; call < 200; call += 1) {
        others.push(...(await Promise.all(nodes.map((node) => node.take("decision", `caller ${turn}`)))));
      }
      const since = troubles.slice(before);
      if (since.length > 0) return since;
      expect(admitted(others)).toBeGreaterThanOrEqual(limit);
      expect(admitted(others)).toBeLessThanOrEqual(limit + nodeCount);
      return since;
    });
  });
});
