import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { newOperator, type Operator, setUp } from "./operator-for-tests.ts";

let operator: Operator;
beforeEach(() => {
  operator = newOperator();
});
afterEach(() => operator.leave());

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
    operator.beside(({ sqlite }) =>
      sqlite.exec(`insert into counter
        select id, 20777, 'DE', 'news', 'overlay', 0, '', 3, 0, 0, 0, 0, 0, 0, 0 from website`),
    );
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
    operator.beside(({ sqlite }) =>
      sqlite.exec(`insert into counter select id, 20777, 'DE', 'news', 'overlay', 0, 'EUR',
        0, 0, 0, 0, 0, 9007199254740993, 0, 0 from website`),
    );
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
