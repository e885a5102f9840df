import { tmpdir } from "node:os";
import { offerInput } from "@offers/contract/catalogue";
import { type Kysely, sql } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readAdvertisers, readLedger } from "../books/advertiser-account.ts";
import { audit } from "../books/audit.ts";
import { isPostgres } from "../dialects.ts";
import { adjustments } from "../migrations/0032-adjustments.ts";
import { listAdvertisers } from "./advertiser-rows.ts";
import { createAdvertiser, setAdvertiserCurrency } from "./advertisers.ts";
import { fewPlaces, newCatalogue } from "./catalogue-for-tests.ts";
import { createOffer } from "./offers.ts";
import { adjustAdvertiser, depositToAdvertiser } from "./payments.ts";

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
  const deposited = await depositToAdvertiser(catalogue, id, { micros: 250_000 }, { now: now + 3_600_000 });
  expect(deposited).toEqual({
    advertiserId: id,
    currency: "EUR",
    depositedMicros: 5_250_000,
    spentMicros: 0,
    balanceMicros: 5_250_000,
  });
  const shared = { kind: "deposit", advertiser: 1, offer: null, request: null, currency: "EUR" };
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
      currency: "EUR",
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
  await expect(depositToAdvertiser(catalogue, other || id, { micros }, { now })).rejects.toThrow(message);
  expect(await catalogue.version()).toBe(version);
  expect(await catalogue.count("ledger_line")).toBe(1);
  expect(await listAdvertisers(catalogue.db)).toMatchObject([{ depositedMicros: 100 }]);
});

let made = 0;
/** One after the other, for they are listed by their age. */
const newAdvertiser = (input: object = {}) =>
  createAdvertiser(catalogue, { name: "A", balanceMicros: 100, ...input }, { now: now + made++ });
const spend = (id: string, spent_micros: number) =>
  catalogue.db.insertInto("spend").values({ subject: id, day: 0, spent_micros, billed_clicks: 1 }).execute();
const offerOf = (advertiserId: string, currency: string) =>
  createOffer(
    catalogue,
    offerInput.parse({
      ...{
        advertiserId,
        brand: "B",
        vertical: "games",
        title: "T",
        landingUrl: "https://b.example/",
        currency,
      },
      ...{ geoCoverage: ["DE"], payoutModel: "CPC", payoutMicros: 1000 },
    }),
    { now, rules: fewPlaces },
  );

test("an adjustment is a line with its note, and moves what was deposited by as much, up or down", async () => {
  const id = await newAdvertiser();
  const down = await adjustAdvertiser(catalogue, id, { micros: -40, note: "mistyped" }, { now });
  expect(down).toMatchObject({ depositedMicros: 60, balanceMicros: 60 });
  const up = await adjustAdvertiser(catalogue, id, { micros: 15, note: "and back" }, { now: now + 1 });
  expect(up).toMatchObject({ depositedMicros: 75, balanceMicros: 75 });
  expect(await lines()).toMatchObject([
    { kind: "deposit", micros: 100 },
    { kind: "adjustment", advertiser: 1, micros: -40, offer: null, request: null, currency: "EUR" },
    { kind: "adjustment", micros: 15 },
  ]);
  expect((await audit(catalogue.db)).differences).toEqual([]);
  await catalogue.db.deleteFrom("ledger_line").where("micros", "=", 15).execute();
  expect((await audit(catalogue.db)).differences).toEqual([
    { figure: "advertiser_deposits", subject: id, day: "", recorded: 75, recomputed: 60 },
  ]);
});

test("what is spent is never taken away, and a refusal says the most that can be", async () => {
  const id = await newAdvertiser({ balanceMicros: 2_500_000, currency: "CHF" });
  await spend(id, 1_000_000);
  const take = (micros: number) => adjustAdvertiser(catalogue, id, { micros, note: "n" }, { now });
  await expect(take(-1_500_001)).rejects.toThrow(
    "micros: must not take away more than 1.50 CHF (1500000 micro-units): no more is left",
  );
  expect(await listAdvertisers(catalogue.db)).toMatchObject([{ depositedMicros: 2_500_000 }]);
  expect(await take(-1_500_000)).toMatchObject({ depositedMicros: 1_000_000, balanceMicros: 0 });
  await expect(take(-1)).rejects.toThrow("must not take anything away: nothing is left");
  expect(await take(1)).toMatchObject({ depositedMicros: 1_000_001, balanceMicros: 1 });
});

test.each([
  ["an unknown advertiser", "advertiser_x", { micros: -1 }, /no advertiser has the id/],
  ["nothing", "", { micros: 0 }, /must not be 0/],
  ["a fraction", "", { micros: -0.5 }, /must not be 0/],
  ["more than a number can hold", "", { micros: Number.MAX_SAFE_INTEGER }, /above 9007199254\.740991/],
  ["another currency", "", { micros: -1, currency: "USD" }, /currency: must be EUR/],
  [
    "another sum of deposits",
    "",
    { micros: -1, ifDeposited: 99 },
    /amount: was not adjusted: there is another/,
  ],
])("an adjustment for or of %s is refused, and nothing changes", async (_, other, payment, message) => {
  const id = await newAdvertiser();
  const adjusted = adjustAdvertiser(catalogue, other || id, { ...payment, note: "n" }, { now });
  await expect(adjusted).rejects.toThrow(message);
  expect(await lines()).toHaveLength(1);
  expect(await catalogue.count("spend")).toBe(0);
  expect(await listAdvertisers(catalogue.db)).toMatchObject([{ depositedMicros: 100 }]);
});

test("notes stand beside their lines, and the operator's own lines are found without those of bills", async () => {
  const [id, other] = [await newAdvertiser(), await newAdvertiser({ name: "B" })];
  const pay = (micros: number, note?: string) =>
    depositToAdvertiser(catalogue, id, { micros, note }, { now: now + micros });
  await pay(1, "INV-2026-0117");
  await pay(2);
  await catalogue.db
    .insertInto("ledger_line")
    .values({
      ...{ at: now, day: 20_777, kind: "click", advertiser: 1, offer: 1, request: null, micros: -5 },
      ...{ currency: "EUR", website: 1, earned_micros: 5 },
    })
    .execute();
  await adjustAdvertiser(catalogue, id, { micros: -3, note: "both were one" }, { now: now + 3 });
  await depositToAdvertiser(catalogue, other, { micros: 9, note: "not yours" }, { now });
  const read = async (kind: "deposit" | null, before: number | null = null) =>
    (await readLedger(catalogue.db, { advertiserId: id, before, kind })).items.map((line) => [
      ...[line.kind, line.micros, line.note],
    ]);
  const own = [
    ["adjustment", -3, "both were one"],
    ["deposit", 2, null],
    ["deposit", 1, "INV-2026-0117"],
    ["deposit", 100, null],
  ];
  expect(await read("deposit")).toEqual(own);
  expect(await read(null)).toEqual([own[0], ["click", -5, null], ...own.slice(1)]);
  const third = await catalogue.db
    .selectFrom("ledger_line")
    .select("id")
    .where("micros", "=", 2)
    .executeTakeFirst();
  expect(await read("deposit", third?.id)).toEqual(own.slice(2));
});

const currency = async (): Promise<(string | null)[]> => {
  const told = (await listAdvertisers(catalogue.db)).map((one) => one.currency);
  expect((await readAdvertisers(catalogue.db, 0)).map((one) => one.currency)).toEqual(told);
  return told;
};
/** As builds left it that knew no currency of an advertiser. */
const forgetCurrency = () => catalogue.db.updateTable("advertiser").set({ currency: null }).execute();

test("an advertiser pays in euros or in what was chosen, and every offer of it is in that", async () => {
  const id = await newAdvertiser({ currency: "CHF" });
  await newAdvertiser();
  expect(await currency()).toEqual(["CHF", "EUR"]);
  await expect(offerOf(id, "EUR")).rejects.toThrow("currency: must be CHF, in which its advertiser pays");
  await offerOf(id, "CHF");
  await expect(newAdvertiser({ currency: "franc" })).rejects.toThrow("currency: must be an ISO 4217 code");
});

test("the currency is changed as long as there is no offer and no money has moved", async () => {
  const id = await newAdvertiser({ balanceMicros: 0 });
  const change = (to: string) => setAdvertiserCurrency(catalogue, id, to);
  expect(await change("CHF")).toMatchObject({ currency: "CHF" });
  await offerOf(id, "CHF");
  expect(await change("CHF")).toMatchObject({ currency: "CHF" });
  await expect(change("USD")).rejects.toThrow("currency: must stay CHF: its offers are in it");
  await expect(setAdvertiserCurrency(catalogue, await newAdvertiser(), "USD")).rejects.toThrow(
    "currency: must stay EUR: it has paid in it",
  );
  const adjusted = await newAdvertiser({ balanceMicros: 0 });
  await adjustAdvertiser(catalogue, adjusted, { micros: 1, note: "a gift" }, { now });
  await expect(setAdvertiserCurrency(catalogue, adjusted, "USD")).rejects.toThrow("must stay EUR");
  await expect(change("franc")).rejects.toThrow("must be an ISO 4217 code");
  expect(await currency()).toEqual(["CHF", "EUR", "EUR"]);
});

test("where none is known, the first offer says it, or the operator even after a deposit", async () => {
  const [first, second] = [await newAdvertiser(), await newAdvertiser()];
  await forgetCurrency();
  await depositToAdvertiser(catalogue, first, { micros: 1, currency: "USD" }, { now });
  expect((await lines()).map((line) => line.currency)).toEqual(["EUR", "EUR", ""]);
  await offerOf(first, "USD");
  const kept = await catalogue.db.selectFrom("advertiser").select("currency").orderBy("number").execute();
  expect(kept).toEqual([{ currency: "USD" }, { currency: null }]);
  await setAdvertiserCurrency(catalogue, second, "GBP");
  expect(await currency()).toEqual(["USD", "GBP"]);
  await expect(offerOf(first, "EUR")).rejects.toThrow("must be USD");
  // As a program of the release before leaves it that makes the offer beside this one.
  await forgetCurrency();
  expect(await currency()).toEqual(["USD", null]);
  await expect(offerOf(first, "EUR")).rejects.toThrow("must be USD");
  await expect(setAdvertiserCurrency(catalogue, first, "EUR")).rejects.toThrow("must stay USD");
});

test("an advertiser of before has the currency of its first offer, or none", async () => {
  const { db } = catalogue;
  const id = await newAdvertiser({ currency: "CHF" });
  await newAdvertiser();
  await offerOf(id, "CHF");
  await sql`alter table advertiser drop column currency`.execute(db);
  await sql`drop table ledger_note`.execute(db);
  if (isPostgres(db)) for (const step of adjustments.postgres.up) await sql.raw(step).execute(db);
  else await adjustments.up(db as unknown as Kysely<unknown>);
  const rows = await db.selectFrom("advertiser").select("currency").orderBy("number").execute();
  expect(rows).toEqual([{ currency: "CHF" }, { currency: null }]);
  expect(await depositToAdvertiser(catalogue, id, { micros: 1, note: "INV-1" }, { now })).toMatchObject({
    currency: "CHF",
  });
});
