import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { copyOf } from "./copy-rows.ts";
import { databaseOver } from "./database.ts";
import { startServer, type TestServer } from "./database-for-tests.ts";
import { createPool, type PoolOptions } from "./pool.ts";
import { isConnectionLost, storageTrouble } from "./storage-trouble.ts";

let tests: TestServer;
beforeAll(async () => {
  tests = await startServer();
});
afterAll(() => tests.remove());

const newPool = async (options: Partial<PoolOptions> = {}) => {
  const { url, close } = await tests.newDatabase();
  const pool = createPool({ url, name: "pool", most: 2, ...options });
  onTestFinished(async () => {
    await pool.end();
    await close();
  });
  const ask = async (statement: string): Promise<unknown[]> => {
    const client = await pool.connect();
    try {
      return (await client.query(statement, [])).rows;
    } finally {
      client.release();
    }
  };
  return { pool, ask };
};
const backend = "select pg_backend_pid() as pid";

test("as many connections as are allowed serve any number of questions, and stay", async () => {
  const { ask } = await newPool();
  const pids = await Promise.all(Array.from({ length: 20 }, () => ask(backend)));
  const used = new Set(pids.map((rows) => JSON.stringify(rows)));
  expect(used.size).toBeLessThanOrEqual(2);
  expect(used).toContain(JSON.stringify(await ask(backend)));
});

test("a connection on which a transaction was left open is not used again", async () => {
  const { ask } = await newPool({ most: 1 });
  const [before] = await ask(backend);
  await ask("begin");
  expect(await ask(backend)).not.toEqual([before]);
});

test("a question that is not answered in time gives its connection up, and the next one has another", async () => {
  const { ask } = await newPool({ most: 1, deadlineMs: 300 });
  const [before] = await ask(backend);
  await expect(ask("select pg_sleep(20)")).rejects.toThrow(/terminated/);
  expect(await ask(backend)).not.toEqual([before]);
});

test("rows that are copied are there, and are given up with their connection where they wait for too long", async () => {
  const { pool, ask } = await newPool({ deadlineMs: 300 });
  await ask("create table copied (number bigint)");
  const copy = async (number: number): Promise<void> => {
    const client = await pool.connect();
    try {
      await client.copy(copyOf("copied", ["number"], [[number]]));
    } finally {
      client.release();
    }
  };
  await copy(1);
  expect(await ask("select number from copied")).toEqual([{ number: 1 }]);
  const holder = await pool.connect();
  await holder.query("begin", []);
  await holder.query("lock table copied", []);
  await expect(copy(2)).rejects.toThrow(/terminated/);
  holder.release();
});

test("a transaction whose question is not answered in time fails by the connection, which is trouble of the storage", async () => {
  const { pool } = await newPool({ deadlineMs: 300 });
  const error = await databaseOver(pool)
    .transaction()
    .execute((tx) => sql`select pg_sleep(20)`.execute(tx))
    .catch((error: unknown) => error);
  expect(storageTrouble(error)).toEqual({ code: "08006", retryAfterSeconds: 1 });
  expect(isConnectionLost(error)).toBe(true);
});

test("its end cuts off what is under way, and whoever waits is turned away", async () => {
  const { pool, ask } = await newPool({ most: 1 });
  const [asked, waiting] = [ask("select pg_sleep(21)"), ask(backend)].map((question) =>
    question.catch((error: Error) => error.message),
  );
  const client = await newPool();
  await expect
    .poll(() => client.ask("select 1 from pg_stat_activity where query = 'select pg_sleep(21)'"))
    .toHaveLength(1);
  await pool.end();
  expect(await asked).toMatch(/terminated/);
  expect(await waiting).toMatch(/the pool has ended/);
});

test("while no server answers all who wait are told at once, and later ones are served again", async () => {
  const { ask } = await newPool();
  await tests.server.kill();
  const refused = await Promise.allSettled(Array.from({ length: 200 }, () => ask(backend)));
  expect(refused.every(({ status }) => status === "rejected")).toBe(true);
  await tests.server.start();
  expect(await ask(backend)).toHaveLength(1);
});

test("behind a server that takes connections and says nothing nobody waits for more than one attempt", async () => {
  const silent = createServer(() => undefined);
  silent.listen(0, "127.0.0.1");
  await once(silent, "listening");
  onTestFinished(() => void silent.close());
  const { port } = silent.address() as AddressInfo;
  const pool = createPool({ url: `postgres://offers@127.0.0.1:${port}/none`, name: "pool", most: 2 });
  const since = performance.now();
  const refused = await Promise.allSettled(Array.from({ length: 20 }, () => pool.connect()));
  expect(refused.every(({ status }) => status === "rejected")).toBe(true);
  // An attempt takes two seconds; ten of them, one after another, twenty.
  expect(performance.now() - since).toBeLessThan(8000);
});
