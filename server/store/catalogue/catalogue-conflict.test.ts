import { tmpdir } from "node:os";
import {
  advertiserInput,
  allowlist,
  offerInput,
  publisherInput,
  websiteInput,
} from "@offers/contract/catalogue";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createAdvertiser } from "./advertisers.ts";
import { listAllowlists, setAllowlist } from "./allowlists.ts";
import { CatalogueConflict } from "./catalogue-conflict.ts";
import { fewPlaces, newCatalogue } from "./catalogue-for-tests.ts";
import { createOffer, listOffers, setOfferStatus, updateOffer } from "./offers.ts";
import { createPublisher, listPublishers, updatePublisher } from "./publishers.ts";
import { createUser } from "./users.ts";
import { createWebsite, listWebsites, setWebsitePaused, updateWebsite } from "./websites.ts";

const made = { now: 1, rules: fewPlaces };
let catalogue: Awaited<ReturnType<typeof newCatalogue>>;
let ids: { publisherId: string; website: string; offer: string; userId: number };
beforeEach(async () => {
  catalogue = await newCatalogue(tmpdir());
  const { publisherId } = await createPublisher(catalogue, publisherInput.parse({ name: "P" }), made);
  const site = websiteInput.parse({ publisherId, name: "W", origins: ["https://w.example"] });
  const { websiteKey } = await createWebsite(catalogue, site, made);
  const advertiser = advertiserInput.parse({ name: "A", balanceMicros: 0 });
  const advertiserId = await createAdvertiser(catalogue, advertiser, made);
  const offer = offerInput.parse({
    ...{ advertiserId, brand: "B", vertical: "travel", title: "T", landingUrl: "https://b.example/" },
    ...{ geoCoverage: ["*"], payoutModel: "CPC", payoutMicros: 1 },
  });
  const { userId } = await createUser(catalogue, { email: "ada@example.com", isOperator: false }, 1);
  ids = { publisherId, website: websiteKey, offer: await createOffer(catalogue, offer, made), userId };
});
afterEach(() => catalogue.close());

const ada = () => ({ ...catalogue, actor: { kind: "user", userId: ids.userId, name: "Ada" } as const });
const everything = allowlist.parse({ mode: "all", allow: {}, block: {} });

const versionOf = {
  // By its id: of two that were made in one moment either may be listed first.
  publisher: async () =>
    (await listPublishers(catalogue.db)).find(({ publisherId }) => publisherId === ids.publisherId)?.version,
  website: async () => (await listWebsites(catalogue.db))[0]?.version,
  allowlist: async () => (await listAllowlists(catalogue.db))[0]?.version,
  offer: async () => (await listOffers(catalogue.db))[0]?.version,
};

type Edit = (handle: typeof catalogue, ifVersion: number | undefined, to: string) => Promise<unknown>;
const edits: Record<string, [keyof typeof versionOf, Edit]> = {
  "of a publisher": [
    "publisher",
    (handle, ifVersion, name) => updatePublisher(handle, ids.publisherId, { name }, { ifVersion }),
  ],
  "of a website": [
    "website",
    (handle, ifVersion, name) => updateWebsite(handle, ids.website, { name }, fewPlaces, { ifVersion }),
  ],
  "of an allowlist": [
    "allowlist",
    (handle, ifVersion, vertical) =>
      setAllowlist(
        handle,
        ids.website,
        { ...everything, block: { ...everything.block, verticals: [vertical] } },
        { ifVersion },
      ),
  ],
  "of an offer": [
    "offer",
    (handle, ifVersion, title) => updateOffer(handle, ids.offer, { title }, fewPlaces, { ifVersion }),
  ],
  "that pauses a website": [
    "website",
    (handle, ifVersion, to) => setWebsitePaused(handle, ids.website, to === "ada", { ifVersion }),
  ],
  "that pauses an offer": [
    "offer",
    (handle, ifVersion, to) =>
      setOfferStatus(handle, ids.offer, to === "ada" ? "paused" : "active", { ifVersion }),
  ],
};

describe.each(Object.entries(edits))("an edit %s", (_, [kind, edit]) => {
  test("is made of the version that it names, and moves that on", async () => {
    const seen = await versionOf[kind]();
    await edit(catalogue, seen, "ada");
    expect(await versionOf[kind]()).toBeGreaterThan(seen ?? 0);
  });

  test("of a version that has passed changes nothing, and says who was quicker", async () => {
    const seen = await versionOf[kind]();
    await edit({ ...catalogue, ...ada() }, seen, "ada");
    await createPublisher(catalogue, publisherInput.parse({ name: "Somebody else's" }), made);
    const [version, all] = [await versionOf[kind](), await catalogue.version()];
    const refused = await edit(catalogue, seen, "bo").catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(CatalogueConflict);
    expect(refused).toMatchObject({
      version,
      current: { version },
      lastChange: { actor: { kind: "user", userId: ids.userId, name: "Ada" }, at: expect.any(Number) },
    });
    expect(JSON.stringify(refused)).toMatch(/ada|paused/);
    expect([await versionOf[kind](), await catalogue.version()]).toEqual([version, all]);
  });

  test("that names no version is made of any", async () => {
    await edit(catalogue, await versionOf[kind](), "ada");
    await edit(catalogue, undefined, "bo");
  });

  test("that makes no difference does not move the version on", async () => {
    await edit(catalogue, undefined, "ada");
    const seen = await versionOf[kind]();
    await edit(catalogue, undefined, "ada");
    expect(await versionOf[kind]()).toBe(seen);
  });
});

test("whoever edits a website's name is told when it was the allowlist that somebody changed", async () => {
  const ifVersion = await versionOf.website();
  await setAllowlist(ada(), ids.website, everything);
  const refused = updateWebsite(catalogue, ids.website, { name: "X" }, fewPlaces, { ifVersion });
  await expect(refused).rejects.toMatchObject({
    current: { name: "W", allowlist: { mode: "all" } },
    lastChange: {
      actor: { name: "Ada" },
      subject: { kind: "website" },
      after: { allowlist: { mode: "all" } },
    },
  });
});

test("and when it was its publisher", async () => {
  const ifVersion = await versionOf.website();
  await updatePublisher(ada(), ids.publisherId, { name: "Q" });
  const refused = updateWebsite(catalogue, ids.website, { name: "X" }, fewPlaces, { ifVersion });
  await expect(refused).rejects.toMatchObject({
    current: { name: "W" },
    lastChange: { subject: { kind: "publisher", name: "Q" }, before: { name: "P" }, after: { name: "Q" } },
  });
});

test("of a change that is noted no longer nobody is told to have made it", async () => {
  const ifVersion = await versionOf.website();
  await setWebsitePaused(catalogue, ids.website, true);
  await catalogue.db.deleteFrom("activity").execute();
  const refused = setWebsitePaused(catalogue, ids.website, false, { ifVersion });
  await expect(refused).rejects.toMatchObject({ current: { paused: true }, lastChange: null });
});
