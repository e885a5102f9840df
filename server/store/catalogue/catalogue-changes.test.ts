import { tmpdir } from "node:os";
import { allowlist, offerInput, websiteInput } from "@offers/contract/catalogue";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { CatalogueChanges } from "../../core/snapshot-changes.ts";
import { createAdvertiser } from "./advertisers.ts";
import { setAllowlist } from "./allowlists.ts";
import { createApiKey, revokeApiKey, rotateApiKey } from "./api-keys.ts";
import { readCatalogueChanges } from "./catalogue-changes.ts";
import { fewPlaces, newCatalogue } from "./catalogue-for-tests.ts";
import { createIntegrationSecret, revokeIntegrationSecret } from "./integration-secrets.ts";
import { createOffer, setOfferStatus, updateOffer } from "./offers.ts";
import { depositToAdvertiser } from "./payments.ts";
import { createPublisher, updatePublisher } from "./publishers.ts";
import { createWebsite, updateWebsite } from "./websites.ts";

const made = { now: 1, rules: fewPlaces };
let catalogue: Awaited<ReturnType<typeof newCatalogue>>;
beforeEach(async () => {
  catalogue = await newCatalogue(tmpdir());
});
afterEach(() => catalogue.close());

const addWebsite = async (publisherId: string, name: string) => {
  const input = websiteInput.parse({ publisherId, name, origins: [`https://${name}.example`] });
  return (await createWebsite(catalogue, input, made)).websiteKey;
};

/** Two publishers with two websites and one, two offers, two keys and two secrets. */
const fill = async () => {
  const [one, two] = [
    await createPublisher(catalogue, { name: "One" }, made),
    await createPublisher(catalogue, { name: "Two" }, made),
  ];
  const websites = [
    await addWebsite(one.publisherId, "a"),
    await addWebsite(one.publisherId, "b"),
    await addWebsite(two.publisherId, "c"),
  ] as const;
  const advertiserId = await createAdvertiser(catalogue, { name: "A", balanceMicros: 1 }, made);
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
  const offers = [
    await createOffer(catalogue, offer, made),
    await createOffer(catalogue, offer, made),
  ] as const;
  const keyOf = async () => (await createApiKey(catalogue, { publisherId: one.publisherId }, 1)).keyId;
  const keys = [await keyOf(), await keyOf()] as const;
  const secretOf = async () => (await createIntegrationSecret(catalogue, websites[0], 1)).secretId;
  const secrets = [await secretOf(), await secretOf()] as const;
  return { publisherId: one.publisherId, websites, advertiserId, offers, keys, secrets };
};
type Filled = Awaited<ReturnType<typeof fill>>;

const namesIn = (changes: CatalogueChanges) => ({
  websites: changes.websites.map(({ name }) => name),
  offers: changes.offers.map(({ number }) => number),
  apiKeys: changes.apiKeys.length,
  secrets: changes.secrets.length,
});
const nothing = { websites: [], offers: [], apiKeys: 0, secrets: 0 };

test("at first everything is new, in the order of its numbers", async () => {
  await fill();
  const changes = await catalogue.changes();
  expect(namesIn(changes)).toEqual({ websites: ["a", "b", "c"], offers: [1, 2], apiKeys: 2, secrets: 2 });
  expect(changes.version).toBe(await catalogue.version());
  expect(namesIn(await catalogue.changes(changes.version))).toEqual(nothing);
});

const changes: [string, (made: Filled) => Promise<unknown>, Partial<ReturnType<typeof namesIn>>][] = [
  [
    "a website",
    ({ websites }) => updateWebsite(catalogue, websites[1], { name: "B" }, fewPlaces),
    { websites: ["B"] },
  ],
  [
    "its allowlist",
    ({ websites }) =>
      setAllowlist(catalogue, websites[0], allowlist.parse({ mode: "all", allow: {}, block: {} })),
    { websites: ["a"] },
  ],
  [
    "a publisher: all of its websites",
    ({ publisherId }) => updatePublisher(catalogue, publisherId, { name: "Other" }),
    { websites: ["a", "b"] },
  ],
  ["an offer", ({ offers }) => updateOffer(catalogue, offers[1], { title: "U" }, fewPlaces), { offers: [2] }],
  ["an offer's status", ({ offers }) => setOfferStatus(catalogue, offers[0], "paused"), { offers: [1] }],
  [
    "a key that is rotated, and the one that follows",
    ({ keys }) => rotateApiKey(catalogue, keys[0], { overlapMs: 1, now: 1 }),
    { apiKeys: 2 },
  ],
  ["a key that is revoked", ({ keys }) => revokeApiKey(catalogue, keys[1], 5), { apiKeys: 1 }],
  [
    "a secret that is revoked",
    ({ secrets }) => revokeIntegrationSecret(catalogue, secrets[1], 5),
    { secrets: 1 },
  ],
  [
    "no row, where money alone has moved",
    ({ advertiserId }) => depositToAdvertiser(catalogue, advertiserId, { micros: 7 }, made),
    {},
  ],
];
test.each(changes)("what has changed is %s", async (_, change, expected) => {
  const filled = await fill();
  const { version } = await catalogue.changes();
  await change(filled);
  const found = await catalogue.changes(version);
  expect(found.version).toBe(version + 1);
  expect(namesIn(found)).toEqual({ ...nothing, ...expected });
});

test("a revoked key and secret are told as such", async () => {
  const { keys, secrets } = await fill();
  const { version } = await catalogue.changes();
  await revokeApiKey(catalogue, keys[1], 5);
  await revokeIntegrationSecret(catalogue, secrets[1], 5);
  const found = await catalogue.changes(version);
  expect(found.apiKeys).toMatchObject([{ id: keys[1], revokedAt: 5 }]);
  expect(found.secrets).toMatchObject([{ secretId: secrets[1], isRevoked: true }]);
});

test("many rows come in parts, each once, and equal settings of a part are one object", async () => {
  const { publisherId } = await createPublisher(catalogue, { name: "One" }, made);
  await addWebsite(publisherId, "first");
  const { id: _, ...first } = await catalogue.db.selectFrom("website").selectAll().executeTakeFirstOrThrow();
  for (let from = 1; from <= 2500; from += 500) {
    const numbers = Array.from({ length: 500 }, (_, index) => from + index);
    await catalogue.db
      .insertInto("website")
      .values(numbers.map((n) => ({ ...first, key: `ws_${n}`, name: String(n), changed: 1 + (n % 3) })))
      .execute();
  }
  const parts: CatalogueChanges[] = [];
  const version = await readCatalogueChanges(catalogue.db, 0, (part) => parts.push(part));
  const ids = parts.flatMap(({ websites }) => websites.map(({ id }) => id));
  expect(ids).toEqual(Array.from({ length: 2501 }, (_, index) => index + 1));
  expect(parts.map(({ beginsAnew }) => beginsAnew ?? false)).toEqual(parts.map((_, index) => index === 0));
  expect(parts.length).toBeGreaterThan(2);
  for (const part of parts) expect(part.version).toBe(version);
  const { websites } = parts.find((part) => part.websites.length > 0) ?? { websites: [] };
  expect(new Set(websites.map(({ settings }) => settings)).size).toBe(1);
  expect(new Set(websites.map(({ allowlist }) => allowlist)).size).toBe(1);
});
