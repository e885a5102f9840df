import { tmpdir } from "node:os";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createAdvertiser, depositToAdvertiser, listAdvertisers } from "./advertisers.ts";
import { newCatalogue } from "./catalogue-for-tests.ts";

const now = Date.parse("2026-11-20T23:30:00Z");
let catalogue: Awaited<ReturnType<typeof newCatalogue>>;
beforeEach(async () => {
  catalogue = await newCatalogue(tmpdir());
});
afterEach(() => catalogue.close());

const lines = () =>
  catalogue.db
    .selectFrom("ledger_line")
    .select(["kind", "advertiser", "micros", "day", "offer", "request", "currency"])
    .orderBy("id")
    .execute();

test("what is paid in is a line of the ledger and the balance, both or neither", async () => {
  const before = await catalogue.version();
  const id = await createAdvertiser(catalogue, { name: "A", balanceMicros: 5_000_000 }, { now });
  const deposited = await depositToAdvertiser(catalogue, id, 250_000, { now: now + 3_600_000 });
  expect(deposited).toEqual({
    advertiserId: id,
    depositedMicros: 5_250_000,
    spentMicros: 0,
    balanceMicros: 5_250_000,
  });
  const shared = { kind: "deposit", advertiser: 1, offer: null, request: null, currency: "" };
  expect(await lines()).toEqual([
    { ...shared, micros: 5_000_000, day: 20_777 },
    { ...shared, micros: 250_000, day: 20_778 },
  ]);
  expect(await catalogue.version()).toBe(before + 2);
});

test("an advertiser without a deposit has no line", async () => {
  const id = await createAdvertiser(catalogue, { name: "A", balanceMicros: 0 }, { now });
  expect(await lines()).toEqual([]);
  expect(await listAdvertisers(catalogue.db)).toEqual([
    {
      advertiserId: id,
      name: "A",
      offers: 0,
      createdAt: now,
      depositedMicros: 0,
      spentMicros: 0,
      balanceMicros: 0,
    },
  ]);
});

test("what was billed is taken off the balance", async () => {
  const id = await createAdvertiser(catalogue, { name: "A", balanceMicros: 100 }, { now });
  await catalogue.db
    .insertInto("spend")
    .values([
      { subject: id, day: 0, spent_micros: 30, billed_clicks: 3 },
      { subject: id, day: 20_777, spent_micros: 30, billed_clicks: 3 },
    ])
    .execute();
  expect(await listAdvertisers(catalogue.db)).toMatchObject([{ spentMicros: 30, balanceMicros: 70 }]);
});

test.each([
  ["an unknown advertiser", "advertiser_x", 1, /no advertiser has the id/],
  ["nothing", "", 0, /at least 1/],
  ["less than nothing", "", -5, /at least 1/],
  ["a fraction", "", 0.5, /at least 1/],
  ["more than a number can hold", "", Number.MAX_SAFE_INTEGER, /above 9007199254\.740991/],
])("a deposit for or of %s is refused, and nothing changes", async (_, other, micros, message) => {
  const id = await createAdvertiser(catalogue, { name: "A", balanceMicros: 100 }, { now });
  const version = await catalogue.version();
  await expect(depositToAdvertiser(catalogue, other || id, micros, { now })).rejects.toThrow(message);
  expect(await catalogue.version()).toBe(version);
  expect(await catalogue.count("ledger_line")).toBe(1);
  expect(await listAdvertisers(catalogue.db)).toMatchObject([{ depositedMicros: 100 }]);
});
