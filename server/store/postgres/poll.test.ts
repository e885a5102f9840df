import { tmpdir } from "node:os";
import { offerInput, websiteInput } from "@offers/contract/catalogue";
import { expect, test } from "vitest";
import type { CatalogueChanges } from "../../core/snapshot-changes.ts";
import { createAdvertiser } from "../catalogue/advertisers.ts";
import { createApiKey } from "../catalogue/api-keys.ts";
import { readCatalogueChanges } from "../catalogue/catalogue-changes.ts";
import { fewPlaces, newCatalogue } from "../catalogue/catalogue-for-tests.ts";
import { setCurrencyRate } from "../catalogue/currency-rates.ts";
import { createIntegrationSecret } from "../catalogue/integration-secrets.ts";
import { createOffer } from "../catalogue/offers.ts";
import { createPublisher } from "../catalogue/publishers.ts";
import { createWebsite } from "../catalogue/websites.ts";
import { Snapshot } from "../snapshot/snapshot.ts";
import type { Ask } from "./asking.ts";
import { preparePoll } from "./poll.ts";

const made = { now: 1, rules: fewPlaces };
const noon = Date.UTC(2026, 10, 20, 12);
const anywhere = { country: "DE", region: "" };

/** A catalogue on a server, and what a node that polls it knows. */
const polling = async () => {
  const catalogue = await newCatalogue(tmpdir());
  const { publisherId } = await createPublisher(catalogue, { name: "One" }, made);
  const advertiserId = await createAdvertiser(catalogue, { name: "A", balanceMicros: 1 }, made);
  const offer = offerInput.parse({
    ...{ advertiserId, brand: "Orchard Bank", vertical: "banking", title: "T", geoCoverage: ["*"] },
    ...{ landingUrl: "https://orchard.example/", payoutModel: "CPC", payoutMicros: 1 },
  });
  const addOffer = () => createOffer(catalogue, offer, made);
  /** An offer, a website and a key. */
  const add = async (name: string) => {
    const input = websiteInput.parse({ publisherId, name, origins: [`https://${name}.example`] });
    const { websiteKey: website } = await createWebsite(catalogue, input, made);
    const { keyId: key } = await createApiKey(catalogue, { publisherId }, 1);
    return { offer: await addOffer(), website, key };
  };

  const snapshot = new Snapshot();
  const events: object[] = [];
  const server = { started: 1 };
  const ask: Ask = async <Row>() => {
    const moment = { snapshot: "1:1:", salts: null, advertisers: null, dismissed: null };
    return [{ ...moment, server: server.started, catalogue: await catalogue.version() }] as Row[];
  };
  let parts: CatalogueChanges[] = [];
  const read = preparePoll({
    ask,
    readCatalogue: (seen) => readCatalogueChanges(catalogue.db, seen, (part) => parts.push(part)),
    budgets: {
      readAll: async () => ({ exhausted: [], paced: [] }),
      readOf: async () => ({ exhausted: [], paced: [] }),
    },
    rates: { changes: async () => null, forget: () => {} },
    salts: { keep: async (found) => found },
    time: { look: async () => {}, offsetMs: () => 0, forget: () => {} },
    log: (line) => events.push(line),
  });
  const poll = async (): Promise<void> => {
    parts = [];
    const number = snapshot.startPoll();
    const polled = await read(noon);
    snapshot.apply(number, { ...polled, catalogue: parts }, noon);
  };
  const listed = () =>
    new Set(
      snapshot.catalogue.activeOffersAt(anywhere).flatMap(({ offers }) => offers.map((of) => of.offer.id)),
    );
  return { catalogue, add, addOffer, server, poll, snapshot, known: snapshot.catalogue, listed, events };
};

test("what another server lacks that has taken over is forgotten, and the loss is told", async () => {
  const { catalogue, add, addOffer, server, poll, snapshot, known, listed, events } = await polling();
  const { db } = catalogue;
  const first = await add("first");
  const version = await catalogue.version();
  const lost = await add("lost");
  await createIntegrationSecret(catalogue, lost.website, 1);
  await setCurrencyRate(catalogue, "USD", 0.9);
  const { hash } = await db.selectFrom("integration_secret").select("hash").executeTakeFirstOrThrow();
  await poll();
  expect([known.offer(lost.offer)?.number, known.website(lost.website)?.id]).toEqual([2, 2]);
  expect([snapshot.apiKey(lost.key)?.id, snapshot.secret(hash)?.websiteId]).toEqual([lost.key, 2]);
  expect([listed(), known.currencyRate("USD")]).toEqual([new Set([first.offer, lost.offer]), 0.9]);

  for (const table of ["integration_secret", "currency_rate", "offer", "website", "api_key"] as const) {
    await db.deleteFrom(table).where("changed", ">", version).execute();
  }
  await db.updateTable("catalogue_version").set({ version }).execute();
  server.started = 2;
  await poll();
  expect([known.offer(lost.offer), known.website(lost.website), known.websiteById(2)]).toEqual(
    Array(3).fill(undefined),
  );
  expect([snapshot.apiKey(lost.key), snapshot.secret(hash)]).toEqual([undefined, undefined]);
  expect(known.isRegisteredOrigin("https://lost.example")).toBe(false);
  expect([listed(), known.currencyRate("USD")]).toEqual([new Set([first.offer]), null]);
  expect([known.website(first.website)?.id, snapshot.apiKey(first.key)?.id]).toEqual([1, first.key]);
  expect(events).toEqual([{ event: "catalogue_went_back", changes: 5 }]);

  const next = await addOffer();
  await poll();
  expect(listed()).toEqual(new Set([first.offer, next]));
  expect(events).toHaveLength(1);
  await catalogue.close();
});

test("a server that was started anew and lacks nothing changes nothing", async () => {
  const { catalogue, add, server, poll, snapshot, listed, events } = await polling();
  const [one, two] = [await add("one"), await add("two")];
  await poll();
  server.started = 2;
  await poll();
  expect(listed()).toEqual(new Set([one.offer, two.offer]));
  expect(snapshot.apiKey(two.key)?.id).toBe(two.key);
  expect(events).toEqual([]);
  await catalogue.close();
});
