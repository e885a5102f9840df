import type { InsertObject } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { figureColumns } from "../core/figures.ts";
import type { Schema } from "../store/schema.ts";
import { engineOfTests } from "../testing/engine-of-tests.ts";
import { newOperator, type Operator, setUp, testTime } from "./operator-for-tests.ts";

let operator: Operator;
beforeEach(() => {
  operator = newOperator();
});
afterEach(() => operator.leave());

/** Adds a counter of the one website that no event has made; what is not given is 0 or empty. */
const addCounter = (given: Record<string, string | number | bigint>) =>
  operator.beside(async (db) => {
    const { id } = await db.selectFrom("website").select("id").executeTakeFirstOrThrow();
    const known = { website_id: id, day: 20777, country: "DE", vertical: "news", surface: "overlay" };
    const none = Object.fromEntries(figureColumns.map((column) => [column, 0]));
    const row = { ...none, ...known, test: 0, currency: "", ...given };
    await db
      .insertInto("counter")
      .values(row as InsertObject<Schema, "counter">)
      .execute();
  });

describe("a run", () => {
  test("is kept with how it ended, for whoever looks later", async () => {
    await setUp(operator);
    const runs = async () => {
      const kept = await operator.observe(({ stored }) => stored.table("run_note"));
      return kept.toSorted((one, other) => (String(one.kind) < String(other.kind) ? -1 : 1));
    };
    expect(await runs()).toEqual([]);
    await operator.run(["audit"]);
    await operator.run(["recount"]);
    expect(await runs()).toMatchObject([
      { kind: "audit", is_good: 1, at: testTime },
      { kind: "recount", is_good: 1 },
    ]);
    await addCounter({ blocked: 3 });
    await operator.run(["recount"]);
    await operator.run(["backup", "--to", "/nowhere/at/all.sqlite"]);
    expect(await runs()).toMatchObject([
      { kind: "audit", is_good: 1 },
      // A server is backed up by its own tools, and nothing is noted of them here.
      ...(engineOfTests === "postgres"
        ? []
        : [{ kind: "backup", is_good: 0, says: expect.stringContaining("no directory") }]),
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
    await addCounter({ blocked: 3 });
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
    await addCounter({ currency: "EUR", spend_micros: 9007199254740993n });
    const { code, out } = await operator.run(["recount", "--json"]);
    expect(code).toBe(1);
    expect(JSON.parse(out).differences).toMatchObject([{ recorded: "9007199254740993", recounted: 0 }]);
    expect((await operator.run(["recount"])).out).toContain("9007199254740993");
  });
});

describe("audit", () => {
  test("ends with 0 when the ledger adds up, deposits and adjustments included", async () => {
    const { advertiserId } = await setUp(operator);
    await operator.done("advertiser deposit --micros 7 --advertiser", advertiserId);
    await operator.done("advertiser adjust --micros -3 --note mistyped --advertiser", advertiserId);
    expect(await operator.done("audit")).toEqual({ agrees: true, lines: 3, differences: [] });
  });

  test("notes an advertiser that has paid in another currency than its offers are in", async () => {
    const { advertiserId } = await setUp(operator);
    // As a node of a release that looks at no advertiser's currency leaves it.
    await operator.beside((db) => db.updateTable("offer").set({ currency: "USD" }).execute());
    const { code, err } = await operator.run(["audit"]);
    expect({ code, err }).toEqual({
      code: 0,
      err: `note: ${advertiserId} has paid in EUR, and its offers are in USD: its balance takes the one for the other\n`,
    });
  });

  test("ends with 1 and the figure that differs", async () => {
    const { advertiserId, offerId } = await setUp(operator);
    await operator.beside(async (db) => {
      await db
        .updateTable("advertiser")
        .set((advertiser) => ({ deposited_micros: advertiser("deposited_micros", "+", 1) }))
        .execute();
      const spent = { subject: offerId, day: 0, spent_micros: 450_000, billed_clicks: 0 };
      await db.insertInto("spend").values(spent).execute();
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
