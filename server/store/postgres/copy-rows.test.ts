import type pg from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { findPostgres, type PostgresServer, startPostgres } from "../../testing/postgres-server.ts";
import { connect } from "./connect.ts";
import { copyOf } from "./copy-rows.ts";
import { sendAll } from "./pipeline.ts";

let server: PostgresServer;
beforeAll(async () => {
  if (findPostgres() !== null) server = await startPostgres({ settings: { fsync: "off" } });
});
afterAll(() => server?.remove());

const columns = ["id", "number", "word", "bytes"];

/** A connection with an empty table of its own. */
const newTable = async (): Promise<pg.Client> => {
  const client = await connect({ url: server.url("postgres"), name: "tests", pipeline: true });
  onTestFinished(() => client.end());
  await client.query(
    "create temp table copied (id bigint primary key, number bigint, word text, bytes bytea)",
  );
  return client;
};
const stored = async (client: pg.Client) =>
  (await client.query({ text: "select * from copied order by id", rowMode: "array" })).rows;

describe.skipIf(findPostgres() === null)("rows that are copied", () => {
  test("come out as they went in", async () => {
    const client = await newTable();
    const most = Number.MAX_SAFE_INTEGER;
    const rows = [
      [1, 0, "", Buffer.alloc(0)],
      [2, null, null, null],
      [3, most, "na\u00efve \u{1f30a}\n\t\\N", Buffer.from([0, 255, 10])],
      [4, -most, "x".repeat(100_000), Buffer.alloc(100_000, 7)],
      [5, -1, "\\.", new Uint8Array([1])],
      [6, 2 ** 32, "z", null],
      [7, -(2 ** 32) - 1, "z", null],
    ];
    const { results, failed } = await sendAll(client, ["begin", copyOf("copied", columns, rows), "commit"]);
    expect([failed, results.map((result) => [result?.command, result?.rowCount])]).toEqual([
      null,
      [
        ["BEGIN", null],
        ["COPY", 7],
        ["COMMIT", null],
      ],
    ]);
    const plain = rows.map((row) =>
      row.map((value) => (value instanceof Uint8Array ? Buffer.from(value) : value)),
    );
    expect(await stored(client)).toEqual(plain);
  });

  test("and are there already fail, with all that stands behind them, and the connection goes on", async () => {
    const client = await newTable();
    const one = copyOf("copied", columns, [[1, 1, null, null]]);
    await sendAll(client, [one]);
    const many = copyOf(
      "copied",
      columns,
      Array.from({ length: 50_000 }, (_, at) => [50_000 - at, at, "word", null]),
    );
    const { results, failed } = await sendAll(client, ["begin", many, one, "select 1", "commit"]);
    expect(failed).toMatchObject({ at: 1, error: { code: "23505", severity: "ERROR" } });
    expect(results.map((result) => result?.command)).toEqual([
      "BEGIN",
      undefined,
      undefined,
      undefined,
      "ROLLBACK",
    ]);
    expect(await stored(client)).toEqual([[1, 1, null, null]]);
  });

  test("behind a statement that failed are dropped", async () => {
    const client = await newTable();
    const { failed } = await sendAll(client, [
      "begin",
      "select 1 / 0",
      copyOf("copied", columns, [[1, 1, null, null]]),
      "commit",
    ]);
    expect(failed).toMatchObject({ at: 1, error: { code: "22012" } });
    expect(await stored(client)).toEqual([]);
  });

  test.each([Number.NaN, 0.5, 2 ** 53])("are not sent with %s for a whole number", (number) => {
    expect(() => copyOf("copied", columns, [[1, number, null, null]])).toThrow("no whole number");
  });
});
