import { tmpdir } from "node:os";
import { advertiserInput, offerInput, websiteInput } from "@offers/contract/catalogue";
import type { OfferId } from "@offers/contract/ids";
import { sql } from "kysely";
import type pg from "pg";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { OfferFile } from "../../core/offer-file.ts";
import { createAdvertiser } from "../catalogue/advertisers.ts";
import { type CatalogueChange, changeCatalogue } from "../catalogue/catalogue-change.ts";
import { fewPlaces, newCatalogue } from "../catalogue/catalogue-for-tests.ts";
import { importOffers } from "../catalogue/offer-import.ts";
import { createOffer, setOfferStatus, updateOffer } from "../catalogue/offers.ts";
import { adjustAdvertiser } from "../catalogue/payments.ts";
import { createPublisher, updatePublisher } from "../catalogue/publishers.ts";
import { createWebsite, updateWebsite } from "../catalogue/websites.ts";
import { connect } from "./connect.ts";
import { openPostgresCatalogue } from "./open-catalogue.ts";

const made = { now: 1, rules: fewPlaces };
let catalogue: Awaited<ReturnType<typeof newCatalogue>>;
let ids: Record<"advertiser" | "other" | "publisher" | "website", string> & { offer: OfferId };
/** A connection as a writer has one. */
let writer: pg.Client;
beforeEach(async () => {
  catalogue = await newCatalogue(tmpdir());
  const { address } = catalogue;
  if (address.engine !== "postgres") throw new Error("these tests are about PostgreSQL");
  writer = await connect({ url: address.url, name: "writer" });
  const { publisherId } = await createPublisher(catalogue, { name: "P" }, made);
  const site = websiteInput.parse({ publisherId, name: "W", origins: ["https://w.example"] });
  const { websiteKey } = await createWebsite(catalogue, site, made);
  const balance = advertiserInput.parse({ name: "A", balanceMicros: 1_000_000 });
  const advertiserId = await createAdvertiser(catalogue, balance, made);
  const offer = await createOffer(catalogue, inputOf(advertiserId), made);
  const other = await createOffer(catalogue, inputOf(advertiserId), made);
  ids = { advertiser: advertiserId, offer, other, publisher: publisherId, website: websiteKey };
  return async () => {
    await writer.end();
    await catalogue.close();
  };
});

const inputOf = (advertiserId: string) =>
  offerInput.parse({
    ...{ advertiserId, brand: "B", vertical: "games", title: "T", landingUrl: "https://brand.example/" },
    ...{ geoCoverage: ["DE"], payoutModel: "CPC", payoutMicros: 1000, totalBudgetMicros: 100_000 },
  });

/** Whether a batch that bills these could begin, without waiting for long. */
const canBill = async (...subjects: string[]): Promise<boolean> => {
  await writer.query("begin; set local lock_timeout = 50");
  try {
    await lock(subjects);
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: "55P03" });
    return false;
  } finally {
    await writer.query("rollback");
  }
};

/** As a batch does: rows that are missing are made first. */
const lock = async (subjects: readonly string[]): Promise<void> => {
  await writer.query(
    "insert into spend (subject, day) select id, 0 from unnest($1::text[]) id order by id on conflict do nothing",
    [subjects],
  );
  await writer.query(
    "select 1 from spend where subject = any($1) and day = 0 order by subject for no key update",
    [subjects],
  );
};

const fileOf = (line: object): OfferFile => ({
  offers: [
    {
      ...{ line: 2, offerId: ids.offer, status: null },
      input: offerInput.parse({ ...inputOf(ids.advertiser), ...line }),
    },
  ],
  problems: [],
});

const changes: [string, (tx: CatalogueChange) => Promise<unknown>, "offer" | "advertiser"][] = [
  ["an offer's cap", (tx) => updateOffer(tx, ids.offer, { totalBudgetMicros: 1000 }, fewPlaces), "offer"],
  ["an offer's price", (tx) => updateOffer(tx, ids.offer, { payoutMicros: 1 }, fewPlaces), "offer"],
  ["an offer's status", (tx) => setOfferStatus(tx, ids.offer, "paused"), "offer"],
  ["an offer by a file", (tx) => importOffers(tx, fileOf({ payoutMicros: 7 }), made), "offer"],
  [
    "money that is taken back",
    (tx) => adjustAdvertiser(tx, ids.advertiser, { micros: -1, note: "n" }, made),
    "advertiser",
  ],
  [
    "a publisher's share",
    (tx) => updatePublisher(tx, ids.publisher, { shareBasisPoints: 5000 }),
    "advertiser",
  ],
  [
    "a website's share",
    (tx) => updateWebsite(tx, ids.website, { shareBasisPoints: 5000 }, fewPlaces),
    "advertiser",
  ],
];

describe("a change of what is billed", () => {
  test.each(changes)("keeps batches away until it has committed: %s", async (_, change, subject) => {
    await changeCatalogue(catalogue, async (tx) => {
      await change(tx);
      expect(await canBill(ids[subject])).toBe(false);
      // That of another offer alone, of which nothing has changed, goes on.
      expect(await canBill(ids.other)).toBe(true);
    });
    expect(await canBill(ids.offer, ids.advertiser)).toBe(true);
  });

  test.each([
    ["a publisher's name", () => updatePublisher(catalogue, ids.publisher, { name: "Q" })],
    ["a website's name", () => updateWebsite(catalogue, ids.website, { name: "V" }, fewPlaces)],
  ])("does not wait for anybody where nothing is billed by it: %s", async (_, change) => {
    await updatePublisher(catalogue, ids.publisher, { shareBasisPoints: 9000 });
    await writer.query("begin");
    await lock([ids.advertiser]);
    await change();
    await writer.query("rollback");
  });

  test("waits for a batch that has decided by the old one, and the next batch has the new one", async () => {
    await writer.query("begin");
    await lock([ids.offer]);
    let isAnswered = false;
    const change = updateOffer(catalogue, ids.offer, { totalBudgetMicros: 1000 }, fewPlaces).then(() => {
      isAnswered = true;
    });
    while (!isAnswered && !(await isSomebodyWaiting())) await new Promise((resume) => setImmediate(resume));
    expect(isAnswered).toBe(false);
    expect(await capOf(ids.offer)).toBe(100_000);
    await writer.query("commit");
    await change;
    await writer.query("begin");
    await lock([ids.offer]);
    expect(await capOf(ids.offer)).toBe(1000);
    await writer.query("commit");
  });
});

test("money is taken back behind a batch that has decided by it, and not what that has billed", async () => {
  await writer.query("begin");
  await lock([ids.advertiser]);
  await writer.query("update spend set spent_micros = 999000 where subject = $1", [ids.advertiser]);
  const taking = adjustAdvertiser(catalogue, ids.advertiser, { micros: -2000, note: "n" }, made);
  const refused = expect(taking).rejects.toThrow("must not take away more than 0.001 EUR");
  await expect.poll(isSomebodyWaiting).toBe(true);
  await writer.query("commit");
  await refused;
  await adjustAdvertiser(catalogue, ids.advertiser, { micros: -1000, note: "n" }, made);
});

test("an import keeps batches away only once its offers are written", async () => {
  const { address } = catalogue;
  if (address.engine !== "postgres") throw new Error("these tests are about PostgreSQL");
  const holder = await connect({ url: address.url, name: "holder" });
  onTestFinished(() => holder.end());
  await holder.query("begin");
  await holder.query("select 1 from offer where id = $1 for update", [ids.offer]);
  const importing = importOffers(catalogue, fileOf({ payoutMicros: 7 }), made);
  await expect.poll(isSomebodyWaiting).toBe(true);
  expect(await canBill(ids.offer, ids.advertiser)).toBe(true);
  await holder.query("rollback");
  expect(await importing).toEqual({ ok: true, created: 0, updated: 1, alike: [] });
});

const isSomebodyWaiting = async (): Promise<boolean> => {
  // The server is shared with the tests of other files.
  const { rows } = await writer.query(
    "select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
  );
  return rows.length > 0;
};

const capOf = async (offer: string): Promise<number | undefined> => {
  const { rows } = await writer.query<{ cap: number }>(
    "select total_budget_micros as cap from offer where id = $1",
    [offer],
  );
  return rows[0]?.cap;
};

test("a machine that vanishes within a change holds the lines of money for half a minute, and no longer", async () => {
  const { address } = catalogue;
  if (address.engine !== "postgres") throw new Error("these tests are about PostgreSQL");
  const opened = await openPostgresCatalogue({
    ...address,
    actor: { kind: "command_line", name: "tests" },
    clock: () => 1,
  });
  try {
    const { rows } = await sql`show idle_in_transaction_session_timeout`.execute(opened.db);
    expect(rows).toEqual([{ idle_in_transaction_session_timeout: "30s" }]);
  } finally {
    await opened.close();
  }
});
