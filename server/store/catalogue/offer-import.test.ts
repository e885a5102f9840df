import { tmpdir } from "node:os";
import { advertiserInput, offerInput } from "@offers/contract/catalogue";
import { offerId } from "@offers/contract/ids";
import type { KyselyPlugin } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";
import type { NamedLine, OfferLine } from "../../core/offer-file.ts";
import { createAdvertiser } from "./advertisers.ts";
import { fewPlaces, newCatalogue } from "./catalogue-for-tests.ts";
import { checkOffers, importOffers } from "./offer-import.ts";
import { listOffers, updateOffer } from "./offers.ts";
import { createPublisher } from "./publishers.ts";

const freshCatalogue = async () => {
  const catalogue = await newCatalogue(tmpdir());
  onTestFinished(() => catalogue.close());
  return catalogue;
};

const now = Date.parse("2026-11-20T12:00:00Z");
const fileOf = (offers: (OfferLine | NamedLine)[]) => ({ offers, problems: [] });
const made = { now, rules: fewPlaces };

const withAdvertiser = async () => {
  const catalogue = await freshCatalogue();
  const { db } = catalogue;
  const advertiserId = await createAdvertiser(
    catalogue,
    advertiserInput.parse({ name: "Lumen", balanceMicros: 0 }),
    { now },
  );
  const line = (number: number, members: object = {}, more: Partial<OfferLine> = {}): OfferLine => ({
    line: number,
    offerId: null,
    status: null,
    input: offerInput.parse({
      advertiserId,
      brand: "Lumen",
      vertical: "mobile",
      title: `Offer ${number}`,
      landingUrl: "https://lumen.example/",
      geoCoverage: ["DE"],
      payoutModel: "CPC",
      payoutMicros: 250_000,
      ...members,
    }),
    ...more,
  });
  const version = async () =>
    (await db.selectFrom("catalogue_version").select("version").executeTakeFirstOrThrow()).version;
  return { catalogue, db, line, version };
};

describe("an import of offers", () => {
  it("saves new offers, and bumps the catalogue once", async () => {
    const { catalogue, db, line, version } = await withAdvertiser();
    const before = await version();
    const lines = [line(2), line(3, {}, { offerId: offerId.parse("offer_mine"), status: "paused" })];
    expect(await importOffers(catalogue, fileOf(lines), made)).toEqual({
      ok: true,
      created: 2,
      updated: 0,
      alike: [],
    });
    expect(await version()).toBe(before + 1);
    expect((await listOffers(db)).map(({ title, status }) => [title, status]).sort()).toEqual([
      ["Offer 2", "active"],
      ["Offer 3", "paused"],
    ]);
  });

  it("names each line with a publisher that there is not, and takes those that there are", async () => {
    const { catalogue, db, line } = await withAdvertiser();
    const { publisherId } = await createPublisher(catalogue, { name: "Pier" }, { now });
    const lines = [
      line(2, { onlyPublishers: [publisherId] }),
      line(3, { exceptPublishers: [publisherId, "publisher_none"] }),
    ];
    const message = 'no publisher has the id "publisher_none"';
    expect(await importOffers(catalogue, fileOf(lines), made)).toEqual({
      ok: false,
      problems: [{ line: 3, column: "exceptPublishers", message }],
    });
    expect(await importOffers(catalogue, fileOf(lines.slice(0, 1)), made)).toMatchObject({ ok: true });
    expect(await listOffers(db)).toMatchObject([{ onlyPublishers: [publisherId], exceptPublishers: [] }]);
  });

  it("changes the offer of a line that names it, so that a second import doubles nothing", async () => {
    const { catalogue, db, line } = await withAdvertiser();
    const id = offerId.parse("offer_mine");
    await importOffers(catalogue, fileOf([line(2, {}, { offerId: id, status: "paused" })]), made);
    const outcome = await importOffers(
      catalogue,
      fileOf([line(2, { title: "Better" }, { offerId: id })]),
      made,
    );
    expect(outcome).toEqual({ ok: true, created: 0, updated: 1, alike: [] });
    expect(await listOffers(db)).toMatchObject([{ id, title: "Better", status: "paused" }]);
  });

  it("names the new offers that are like one that was there before, and saves them", async () => {
    const { catalogue, db, line } = await withAdvertiser();
    // The port is left out of what is saved.
    const lines = [line(2), line(3, { landingUrl: "https://lumen.example:443/" })];
    expect(await importOffers(catalogue, fileOf(lines), made)).toMatchObject({ created: 2, alike: [] });
    const more = [
      ...lines,
      line(4, { title: "Offer 2", brand: "Umen" }),
      line(5, { title: "Offer 2", landingUrl: "https://lumen.example/2" }),
      line(6, { title: "Offer 2" }, { offerId: offerId.parse("offer_mine") }),
    ];
    const outcome = { ok: true, created: 5, updated: 0, alike: [2, 3] };
    expect(await checkOffers(catalogue, fileOf(more), made)).toEqual(outcome);
    expect(await listOffers(db)).toHaveLength(2);
    expect(await importOffers(catalogue, fileOf(more), made)).toEqual(outcome);
    expect(await listOffers(db)).toHaveLength(7);
  });

  it("saves nothing when lines are refused, and names each with its column", async () => {
    const { catalogue, db, line, version } = await withAdvertiser();
    const before = await version();
    const outcome = await importOffers(
      catalogue,
      fileOf([
        line(2),
        line(3, { landingUrl: "javascript:alert(1)" }),
        line(4, { geoCoverage: ["UK"] }),
        line(5, { advertiserId: "advertiser_none" }),
        line(6, { currency: "USD" }),
        line(7),
      ]),
      made,
    );
    expect(outcome).toMatchObject({
      ok: false,
      problems: [
        { line: 3, column: "landingUrl" },
        { line: 4, column: "geoCoverage" },
        { line: 5, column: "advertiserId" },
        { line: 6, column: "currency" },
      ],
    });
    expect(await listOffers(db)).toEqual([]);
    expect(await version()).toBe(before);
  });

  it("saves nothing of a file that could not be read whole, and names the lines that saving refuses as well", async () => {
    const { catalogue, db, line } = await withAdvertiser();
    const problems = [{ line: 9, column: "brand", message: "is missing" }];
    const outcome = await importOffers(
      catalogue,
      { offers: [line(2), line(12, { geoCoverage: ["UK"] })], problems },
      made,
    );
    expect(outcome).toMatchObject({
      ok: false,
      problems: [{ line: 9 }, { line: 12, column: "geoCoverage" }],
    });
    expect(await listOffers(db)).toEqual([]);
  });

  it("leaves an offer with its advertiser and its currency", async () => {
    const { catalogue, line } = await withAdvertiser();
    const other = await createAdvertiser(
      catalogue,
      advertiserInput.parse({ name: "Other", balanceMicros: 0 }),
      {
        now,
      },
    );
    const id = offerId.parse("offer_mine");
    await importOffers(catalogue, fileOf([line(2, {}, { offerId: id })]), made);
    expect(
      await importOffers(catalogue, fileOf([line(2, { advertiserId: other }, { offerId: id })]), made),
    ).toMatchObject({
      ok: false,
      problems: [{ line: 2, column: "advertiserId" }],
    });
    expect(
      await importOffers(catalogue, fileOf([line(2, { currency: "USD" }, { offerId: id })]), made),
    ).toMatchObject({
      ok: false,
      problems: [{ line: 2, column: "currency" }],
    });
  });

  it("keeps of a known offer what the file does not have, and sees what somebody has changed meanwhile", async () => {
    const { catalogue, db, line } = await withAdvertiser();
    const id = offerId.parse("offer_mine");
    const limits = { dailyBudgetMicros: 9_000_000, endsAt: "2026-12-24", devices: ["phone"] as const };
    await importOffers(catalogue, fileOf([line(2, limits, { offerId: id })]), made);
    const named: NamedLine = {
      ...{ line: 2, offerId: id, status: null, problems: [] },
      ...{ said: new Map([["payoutMicros", 7000]]), has: new Set(["offerId", "payoutMicros"]) },
    };
    expect(await checkOffers(catalogue, fileOf([named]), made)).toMatchObject({ ok: true, updated: 1 });
    let isFirst = true;
    const transact: typeof catalogue.transact = async (work) => {
      if (isFirst) {
        isFirst = false;
        await updateOffer(catalogue, id, { totalClickCap: 3 }, fewPlaces);
      }
      return catalogue.transact(work);
    };
    const outcome = await importOffers({ ...catalogue, transact }, fileOf([named]), made);
    expect(outcome).toEqual({ ok: true, created: 0, updated: 1, alike: [] });
    expect(await listOffers(db)).toMatchObject([{ id, payoutMicros: 7000, totalClickCap: 3, ...limits }]);
  });

  it("reads no offer and puts none into words while nobody else can write", async () => {
    const { catalogue, db, line } = await withAdvertiser();
    const id = offerId.parse("offer_mine");
    await importOffers(catalogue, fileOf([line(2, {}, { offerId: id })]), made);
    const asked: string[] = [];
    const listening: KyselyPlugin = {
      transformQuery: ({ node }) => {
        asked.push(JSON.stringify(node));
        return node;
      },
      transformResult: async ({ result }) => result,
    };
    const transact: typeof catalogue.transact = (work) =>
      catalogue.transact((tx) => work(tx.withPlugin(listening)));
    const lines = [line(2, { title: "Better" }, { offerId: id }), line(3)];
    await importOffers({ ...catalogue, transact }, fileOf(lines), made);
    expect(asked.join()).toContain('"name":"catalogue_version"');
    expect(asked.filter((one) => one.includes('"name":"offer"'))).toEqual([]);
    expect((await listOffers(db)).map(({ title }) => title).sort()).toEqual(["Better", "Offer 3"]);
  });

  it("saves what others do not touch who change something just before it, and carries its own version", async () => {
    const { catalogue, db, line } = await withAdvertiser();
    const id = offerId.parse("offer_mine");
    const add = (name: string) =>
      createAdvertiser(catalogue, advertiserInput.parse({ name, balanceMicros: 0 }), { now });
    await importOffers(catalogue, fileOf([line(2, {}, { offerId: id })]), made);
    let tries = 0;
    const transact: typeof catalogue.transact = async (work) => {
      tries += 1;
      await add(`Other ${tries}`);
      return catalogue.transact(work);
    };
    const lines = [line(2, { title: "Better" }, { offerId: id }), line(3)];
    expect(await importOffers({ ...catalogue, transact }, fileOf(lines), made)).toMatchObject({ ok: true });
    expect(tries).toBe(1);
    const version = await catalogue.version();
    expect((await listOffers(db)).map((offer) => [offer.title, offer.version]).sort()).toEqual([
      ["Better", version],
      ["Offer 3", version],
    ]);
  });

  it("has the currency of its advertiser, or says it where none is known", async () => {
    const { catalogue, db, line } = await withAdvertiser();
    const dollars = [line(2, { currency: "USD" }), line(3, { currency: "USD" })];
    const message = "must be EUR, in which its advertiser pays: all its offers share one balance";
    expect(await importOffers(catalogue, fileOf(dollars), made)).toEqual({
      ok: false,
      problems: [2, 3].map((number) => ({ line: number, column: "currency", message })),
    });
    await db.updateTable("advertiser").set({ currency: null }).execute();
    expect(await importOffers(catalogue, fileOf([...dollars, line(4)]), made)).toMatchObject({
      ok: false,
      problems: [{ line: 4, column: "currency", message: expect.stringMatching(/^must be USD/) }],
    });
    expect(await importOffers(catalogue, fileOf(dollars), made)).toMatchObject({ ok: true });
    expect(await db.selectFrom("advertiser").select("currency").execute()).toEqual([{ currency: "USD" }]);
  });

  it("refuses what another's change just before it forbids", async () => {
    const { catalogue, db, line } = await withAdvertiser();
    await db.updateTable("advertiser").set({ currency: null }).execute();
    let isFirst = true;
    const transact: typeof catalogue.transact = async (work) => {
      if (isFirst) {
        isFirst = false;
        await importOffers(catalogue, fileOf([line(2, { currency: "USD" })]), made);
      }
      return catalogue.transact(work);
    };
    expect(await importOffers({ ...catalogue, transact }, fileOf([line(2)]), made)).toMatchObject({
      ok: false,
      problems: [{ line: 2, column: "currency" }],
    });
    expect(await listOffers(db)).toMatchObject([{ currency: "USD" }]);
  });

  it("refuses a file that would keep everybody waiting, and takes one that long of which little changes", async () => {
    const { catalogue, db, line } = await withAdvertiser();
    const lines = Array.from({ length: 10_001 }, (_, at) =>
      line(at + 2, {}, { offerId: offerId.parse(`offer_${at}`) }),
    );
    const refusal = {
      ok: false,
      problems: [{ line: 1, message: expect.stringContaining("files of 10000") }],
    };
    expect(await checkOffers(catalogue, fileOf(lines), made)).toMatchObject(refusal);
    expect(await importOffers(catalogue, fileOf(lines), made)).toMatchObject(refusal);
    expect(await listOffers(db)).toEqual([]);
    await importOffers(catalogue, fileOf(lines.slice(1)), made);
    expect(await importOffers(catalogue, fileOf(lines), made)).toMatchObject({ created: 1, updated: 10_000 });
  });
});
