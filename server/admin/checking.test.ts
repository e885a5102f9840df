import type { Database as Sqlite } from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { newOperator, type Operator, setUp, testTime } from "./operator-for-tests.ts";

let operator: Operator;
beforeEach(() => {
  operator = newOperator();
});
afterEach(() => operator.leave());

/** Adds a counter of the one website that no event has made; what is not given is 0 or empty. */
const addCounter = (sqlite: Sqlite, given: Record<string, string | number | bigint>): void => {
  const { id } = sqlite.prepare<[], { id: number }>("select id from website").get() ?? { id: 0 };
  const known = { website_id: id, day: 20777, country: "DE", vertical: "news", surface: "overlay", ...given };
  const columns = sqlite
    .prepare<[], { name: keyof typeof known; type: string }>(
      "select name, type from pragma_table_info('counter')",
    )
    .all();
  const values = columns.map(({ name, type }) => known[name] ?? (type.toLowerCase() === "text" ? "" : 0));
  sqlite.prepare(`insert into counter values (${columns.map(() => "?").join(", ")})`).run(values);
};

describe("a run", () => {
  test("is kept with how it ended, for whoever looks later", async () => {
    await setUp(operator);
    const runs = async () => {
      let kept: object[] = [];
      operator.beside(({ sqlite }) => {
        kept = sqlite.prepare<[], object>("select kind, at, is_good, says from run_note order by kind").all();
      });
      return kept;
    };
    expect(await runs()).toEqual([]);
    await operator.run(["audit"]);
    await operator.run(["recount"]);
    expect(await runs()).toMatchObject([
      { kind: "audit", is_good: 1, at: testTime },
      { kind: "recount", is_good: 1 },
    ]);
    operator.beside(({ sqlite }) => addCounter(sqlite, { blocked: 3 }));
    await operator.run(["recount"]);
    await operator.run(["backup", "--to", "/nowhere/at/all.sqlite"]);
    expect(await runs()).toMatchObject([
      { kind: "audit", is_good: 1 },
      { kind: "backup", is_good: 0, says: expect.stringContaining("no directory") },
      { kind: "recount", is_good: 0, says: "counts that differ: 1 (cells: 1)" },
    ]);
  });
});

describe("recount", () => {
  test("ends with 0 when every counter agrees with the events", async () => {
    await setUp(operator);
    expect(await operator.done("recount")).toEqual({ agrees: true, cells: 0, differences: [] });
    expect(await operator.run(["recount"])).toMatchObject({
      code: 0,
      out: expect.stringContaining("agrees"),
    });
  });

  test("ends with 1 and the cell that differs", async () => {
    const { websiteKey } = await setUp(operator);
    operator.beside(({ sqlite }) => addCounter(sqlite, { blocked: 3 }));
    const { code, out } = await operator.run(["recount", "--json"]);
    expect(code).toBe(1);
    const difference = {
      day: "2026-11-20",
      websiteKey,
      country: "DE",
      vertical: "news",
      surface: "overlay",
      test: false,
      currency: "",
      detail: null,
      count: "blocked",
      recorded: 3,
      recounted: 0,
    };
    expect(JSON.parse(out)).toEqual({ agrees: false, cells: 1, differences: [difference] });
    const text = await operator.run(["recount"]);
    expect(text.code).toBe(1);
    expect(text.out).toMatch(/^counts that differ: 1 /);
    expect(text.out).toContain(websiteKey);
  });

  test("tells a sum beyond 2^53 with all digits, as a text in JSON", async () => {
    await setUp(operator);
    operator.beside(({ sqlite }) => addCounter(sqlite, { currency: "EUR", spend_micros: 9007199254740993n }));
    const { code, out } = await operator.run(["recount", "--json"]);
    expect(code).toBe(1);
    expect(JSON.parse(out).differences).toMatchObject([{ recorded: "9007199254740993", recounted: 0 }]);
    expect((await operator.run(["recount"])).out).toContain("9007199254740993");
  });
});

describe("audit", () => {
  test("ends with 0 when the ledger adds up, deposits included", async () => {
    const { advertiserId } = await setUp(operator);
    await operator.done("advertiser deposit --micros 7 --advertiser", advertiserId);
    expect(await operator.done("audit")).toEqual({ agrees: true, lines: 2, differences: [] });
  });

  test("ends with 1 and the figure that differs", async () => {
    const { advertiserId, offerId } = await setUp(operator);
    operator.beside(({ sqlite }) => {
      sqlite.exec("update advertiser set deposited_micros = deposited_micros + 1");
      sqlite
        .prepare("insert into spend (subject, day, spent_micros, billed_clicks) values (?, 0, 450000, 0)")
        .run(offerId);
    });
    const { code, out } = await operator.run(["audit", "--json"]);
    expect(code).toBe(1);
    expect(JSON.parse(out)).toEqual({
      agrees: false,
      lines: 1,
      differences: [
        {
          figure: "advertiser_deposits",
          subject: advertiserId,
          day: "",
          recorded: 5_000_001,
          recomputed: 5_000_000,
        },
        { figure: "offer_spend", subject: offerId, day: "", recorded: 450_000, recomputed: 0 },
      ],
    });
    const text = await operator.run(["audit"]);
    expect(text).toMatchObject({ code: 1, out: expect.stringMatching(/^figures that differ: 2 /) });
    expect(text.out).toContain(advertiserId);
  });
});

test.each(["recount", "audit"])("%s takes no verb", async (noun) => {
  const { code, err } = await operator.run([noun, "list"]);
  expect(code).toBe(2);
  expect(err).toContain('unexpected "list"');
});
