import { tmpdir } from "node:os";
import { type OfferInput, offerInput } from "@offers/contract/catalogue";
import type { AdvertiserId } from "@offers/contract/ids";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createAdvertiser } from "./advertisers.ts";
import { fewPlaces, newCatalogue } from "./catalogue-for-tests.ts";
import { createOffer, listOffers, setOfferStatus, updateOffer } from "./offers.ts";

let catalogue: Awaited<ReturnType<typeof newCatalogue>>;
let advertiserId: AdvertiserId;
beforeEach(async () => {
  catalogue = await newCatalogue(tmpdir());
  advertiserId = await createAdvertiser(catalogue, { name: "A", balanceMicros: 100 }, { now: 1 });
});
afterEach(() => catalogue.close());

const made = { now: 9, rules: fewPlaces };
const input = (change: object = {}): OfferInput =>
  offerInput.parse({
    advertiserId,
    brand: "Skyhop Travel",
    vertical: "travel",
    title: "Two nights by the sea",
    landingUrl: "https://skyhop.example/?c={click_id}",
    geoCoverage: ["DE", "US-NJ"],
    payoutModel: "CPC",
    payoutMicros: 450_000,
    ...change,
  });
const only = async () => (await listOffers(catalogue.db))[0];

describe("a new offer", () => {
  test("is active and keeps every member", async () => {
    const whole = input({
      description: "D",
      ctaText: "Go",
      imageUrl: "https://skyhop.example/mark.svg",
      disclosure: "Paid",
      terms: "Small print",
      currency: "EUR",
      premium: true,
      dailyBudgetMicros: 1,
      totalBudgetMicros: 2,
      dailyClickCap: 3,
      totalClickCap: 4,
    });
    const before = await catalogue.version();
    const id = await createOffer(catalogue, whole, made);
    expect(id).toMatch(/^offer_[A-Za-z0-9_-]{22}$/);
    expect(await catalogue.version()).toBe(before + 1);
    expect(await only()).toEqual({
      ...whole,
      id,
      status: "active",
      createdAt: 9,
      version: before + 1,
      spentMicros: 0,
      billedClicks: 0,
    });
  });

  test("is read and changed also where a publisher that it names is not there any more", async () => {
    const id = await createOffer(catalogue, input(), made);
    const named = { only_publishers_json: '["publisher_gone"]' };
    await catalogue.transact((db) => db.updateTable("offer").set(named).where("id", "=", id).execute());
    await updateOffer(catalogue, id, { title: "One night" }, fewPlaces);
    expect(await only()).toMatchObject({ title: "One night", onlyPublishers: ["publisher_gone"] });
    const other = updateOffer(catalogue, id, { onlyPublishers: ["publisher_else"] }, fewPlaces);
    await expect(other).rejects.toThrow('onlyPublishers: no publisher has the id "publisher_else"');
  });

  test("stores the landing URL as the check writes it, macros kept", async () => {
    await createOffer(
      catalogue,
      input({ landingUrl: "HTTPS://SkyHop.example:443/a b?x={click_id}".replace(" ", "%20") }),
      made,
    );
    expect((await only())?.landingUrl).toBe("https://skyhop.example/a%20b?x={click_id}");
  });

  test.each([
    ["an unknown advertiser", { advertiserId: "advertiser_x" }, /advertiserId: no advertiser/],
    ["a landing page over http", { landingUrl: "http://skyhop.example/" }, /landingUrl: must be https/],
    ["a script for a landing page", { landingUrl: "javascript:alert(1)" }, /landingUrl/],
    ["an unknown macro", { landingUrl: "https://skyhop.example/{password}" }, /unknown macro/],
    ["an unknown country", { geoCoverage: ["DE", "QQ"] }, /geoCoverage: QQ is no ISO/],
    ["anywhere and somewhere", { geoCoverage: ["*", "DE"] }, /name it alone/],
  ])("is refused with %s, and leaves nothing behind", async (_, change, message) => {
    const before = await catalogue.version();
    await expect(createOffer(catalogue, input(change), made)).rejects.toThrow(message);
    expect(await catalogue.version()).toBe(before);
    expect(await catalogue.count("offer")).toBe(0);
  });

  test("may land on a loopback host in development only", async () => {
    const local = input({ landingUrl: "http://localhost:8788/advertisers/skyhop" });
    const inProduction = { ...made, rules: { ...fewPlaces, production: true } };
    await expect(createOffer(catalogue, local, inProduction)).rejects.toThrow(/must be https/);
    await createOffer(catalogue, local, made);
    expect(await catalogue.count("offer")).toBe(1);
  });
});

describe("an update", () => {
  test("changes what it names, opens a cap, and leaves the rest", async () => {
    const id = await createOffer(catalogue, input({ totalClickCap: 3, premium: true }), made);
    const [before, stored] = [await catalogue.version(), await only()];
    await updateOffer(
      catalogue,
      id,
      { totalClickCap: null, payoutMicros: 500_000, geoCoverage: ["*"], title: "Three nights" },
      fewPlaces,
    );
    expect(await catalogue.version()).toBe(before + 1);
    expect(await only()).toEqual({
      ...stored,
      totalClickCap: null,
      payoutMicros: 500_000,
      geoCoverage: ["*"],
      title: "Three nights",
      version: before + 1,
    });
  });

  test("leaves advertiser and currency: what was billed is theirs", async () => {
    const id = await createOffer(catalogue, input(), made);
    const other = await createAdvertiser(catalogue, { name: "B", balanceMicros: 0 }, { now: 1 });
    await updateOffer(catalogue, id, { advertiserId: other, currency: "USD", title: "T" }, fewPlaces);
    expect(await only()).toMatchObject({ advertiserId, currency: "EUR", title: "T" });
  });

  test("keeps a paused offer paused", async () => {
    const id = await createOffer(catalogue, input(), { ...made, status: "paused" });
    await updateOffer(catalogue, id, { title: "T" }, fewPlaces);
    expect(await only()).toMatchObject({ status: "paused", title: "T" });
  });

  test.each([
    [
      "a price that one impression cannot have",
      { payoutModel: "CPM", payoutMicros: 1500 },
      /multiple of 1000/,
    ],
    ["a fraction of a price", { payoutMicros: 0.5 }, /payoutMicros/],
    ["a negative cap", { dailyClickCap: -1 }, /dailyClickCap/],
    ["a bad landing page", { landingUrl: "//skyhop.example" }, /landingUrl/],
    ["no title", { title: null }, /title/],
  ])("is refused with %s, and changes nothing", async (_, patch, message) => {
    const id = await createOffer(catalogue, input(), made);
    const [version, before] = [await catalogue.version(), await only()];
    await expect(updateOffer(catalogue, id, patch, fewPlaces)).rejects.toThrow(message);
    expect(await catalogue.version()).toBe(version);
    expect(await only()).toEqual(before);
  });
});

test("pausing and resuming each move the version; an unknown offer is refused", async () => {
  const id = await createOffer(catalogue, input(), made);
  const before = await catalogue.version();
  await setOfferStatus(catalogue, id, "paused");
  expect(await only()).toMatchObject({ status: "paused" });
  await setOfferStatus(catalogue, id, "active");
  expect(await only()).toMatchObject({ status: "active" });
  expect(await catalogue.version()).toBe(before + 2);
  await expect(setOfferStatus(catalogue, "offer_x", "paused")).rejects.toThrow(
    /no offer has the id "offer_x"/,
  );
  expect(await catalogue.version()).toBe(before + 2);
});

test("the list shows what each offer has cost in all, and can be narrowed to one advertiser", async () => {
  const id = await createOffer(catalogue, input(), made);
  const other = await createAdvertiser(catalogue, { name: "B", balanceMicros: 0 }, { now: 1 });
  await createOffer(catalogue, input({ advertiserId: other }), made);
  await catalogue.db
    .insertInto("spend")
    .values([
      { subject: id, day: 0, spent_micros: 900_000, billed_clicks: 2 },
      { subject: id, day: 20_777, spent_micros: 450_000, billed_clicks: 1 },
    ])
    .execute();
  expect(await listOffers(catalogue.db, { advertiserId })).toMatchObject([
    { id, spentMicros: 900_000, billedClicks: 2 },
  ]);
  expect(await listOffers(catalogue.db)).toHaveLength(2);
  await expect(listOffers(catalogue.db, { advertiserId: "advertiser_x" })).rejects.toThrow(/no advertiser/);
});
