import { tmpdir } from "node:os";
import { allowlist, offerInput, websiteInput } from "@offers/contract/catalogue";
import { offerId, websiteKey } from "@offers/contract/ids";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createAdvertiser } from "./advertisers.ts";
import { listAllowlists, setAllowlist } from "./allowlists.ts";
import { fewPlaces, newCatalogue } from "./catalogue-for-tests.ts";
import { createOffer } from "./offers.ts";
import { archiveWebsite } from "./own-websites.ts";
import { createPublisher, listPublishers } from "./publishers.ts";
import { listSites, readPublishers } from "./publishers-of-operator.ts";
import { createWebsite } from "./websites.ts";

const key = websiteKey.parse("ws_a");
const made = { now: 1, rules: fewPlaces };
let catalogue: Awaited<ReturnType<typeof newCatalogue>>;

beforeEach(async () => {
  catalogue = await newCatalogue(tmpdir());
  const { publisherId } = await createPublisher(catalogue, { name: "P" }, made);
  const website = websiteInput.parse({ publisherId, name: "W", origins: ["https://w.example"] });
  await createWebsite(catalogue, website, { ...made, key });
  const advertiserId = await createAdvertiser(catalogue, { name: "A", balanceMicros: 0 }, made);
  const offer = offerInput.parse({
    advertiserId,
    brand: "Orchard Bank",
    vertical: "banking",
    title: "T",
    landingUrl: "https://orchard.example/",
    geoCoverage: ["*"],
    payoutModel: "CPC",
    payoutMicros: 1,
  });
  await createOffer(catalogue, offer, { ...made, id: offerId.parse("offer_a") });
});
afterEach(() => catalogue.close());

const list = (change: object) => allowlist.parse({ mode: "allowlist", allow: {}, block: {}, ...change });

test("a new allowlist replaces the one before, sorted and without repetitions", async () => {
  const before = await catalogue.version();
  await setAllowlist(catalogue, key, list({ allow: { verticals: ["banking"] } }));
  const saved = await setAllowlist(
    catalogue,
    key,
    list({ mode: "all", block: { brands: ["orchard bank", "orchard bank"], offers: ["offer_a"] } }),
  );
  expect(saved.warnings).toEqual([]);
  expect(await catalogue.version()).toBe(before + 2);
  expect(await listAllowlists(catalogue.db)).toEqual([
    {
      websiteKey: key,
      mode: "all",
      allow: { brands: [], verticals: [], offers: [] },
      block: { brands: ["orchard bank"], verticals: [], offers: ["offer_a"] },
      permitsNothing: false,
      version: before + 2,
    },
  ]);
});

test("an empty allowlist is saved with a warning", async () => {
  const saved = await setAllowlist(catalogue, key, list({ block: { verticals: ["banking"] } }));
  expect(saved.permitsNothing).toBe(true);
  expect(saved.warnings).toEqual([expect.stringContaining("no offer")]);
});

test("names that no offer has are saved with a warning each", async () => {
  const allow = { brands: ["Orchard Bank", "Orchid Bank"], verticals: ["banking", "bnking"] };
  const { warnings } = await setAllowlist(catalogue, key, list({ allow }));
  expect(warnings).toEqual([
    'no offer has the brand "Orchid Bank" yet',
    'no offer has the vertical "bnking" yet',
  ]);
});

test.each([
  [
    "an unknown offer",
    "ws_a",
    { allow: { offers: ["offer_a", "offer_x"] } },
    /no offer has the id "offer_x"/,
  ],
  ["an unknown website", "ws_x", { mode: "all" }, /no website has the key "ws_x"/],
])("%s is refused, and nothing changes", async (_, website, change, message) => {
  const [version, before] = [await catalogue.version(), await listAllowlists(catalogue.db)];
  await expect(setAllowlist(catalogue, website, list(change))).rejects.toThrow(message);
  expect(await catalogue.version()).toBe(version);
  expect(await listAllowlists(catalogue.db)).toEqual(before);
});

test("a deleted website has no allowlist to be listed, and is no website of its publisher", async () => {
  const [{ publisherId, websites } = { publisherId: "", websites: 0 }] = await listPublishers(catalogue.db);
  expect(websites).toBe(1);
  await archiveWebsite(catalogue, { publisherId, websiteKey: key }, { name: "W", now: 2 });
  expect(await listAllowlists(catalogue.db)).toEqual([]);
  expect(await listPublishers(catalogue.db)).toMatchObject([{ websites: 0 }]);
  expect(await readPublishers(catalogue.db)).toMatchObject([{ websites: 0 }]);
  expect(await listSites(catalogue.db, publisherId)).toEqual([]);
  // What did not count there is told by its name all the same.
  expect(await listSites(catalogue.db)).toMatchObject([{ websiteKey: key }]);
});
