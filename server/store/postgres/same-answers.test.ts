import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { websiteInput } from "@offers/contract/catalogue";
import { publisherId, websiteKey } from "@offers/contract/ids";
import { defaultGrouping, reportDimensions } from "@offers/contract/reports";
import type { Kysely } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { factTypes } from "../../core/fact.ts";
import { websiteSubject } from "../../core/refused-call.ts";
import { seededRandom } from "../../core/seeded-random.ts";
import { dayNumber } from "../../core/utc-day.ts";
import { readAdvertisers, readLedger, readSpendByDay } from "../books/advertiser-account.ts";
import { readAdvertiserStatement } from "../books/advertiser-statement.ts";
import { audit } from "../books/audit.ts";
import { makePublishers } from "../books/counters-for-tests.ts";
import { readDetailRows } from "../books/detail-rows.ts";
import { readFollowedClicks } from "../books/followed-clicks.ts";
import { recount } from "../books/recount.ts";
import { readRefusedEvents } from "../books/refused-events.ts";
import { readReport, readReportBySurface } from "../books/report.ts";
import { reportText } from "../books/report-text.ts";
import { readRequestStory } from "../books/request-story.ts";
import { sameBooks } from "../books/same-books-for-tests.ts";
import { readStatement, readStatements } from "../books/statement.ts";
import { activityOfVersion, listActivity } from "../catalogue/activity.ts";
import {
  currenciesOf,
  listAdvertisers,
  listForeignPayments,
  requireAdvertiser,
} from "../catalogue/advertiser-rows.ts";
import { listAllowlists } from "../catalogue/allowlists.ts";
import { changedApiKeys, createApiKey, listApiKeys } from "../catalogue/api-keys.ts";
import { readCallsElsewhere } from "../catalogue/calls-elsewhere.ts";
import { readFacts } from "../catalogue/catalogue-facts.ts";
import { fewPlaces, readingOf } from "../catalogue/catalogue-for-tests.ts";
import { findChunk, putChunks } from "../catalogue/chunks.ts";
import { liveCredentialsMadeBy } from "../catalogue/credentials-made-by.ts";
import { changedCurrencies, listCurrencies, setCurrencyRate } from "../catalogue/currency-rates.ts";
import {
  changedSecrets,
  createIntegrationSecret,
  listIntegrationSecrets,
} from "../catalogue/integration-secrets.ts";
import { invite, listInvitations, listPendingInvitations } from "../catalogue/invitations.ts";
import { findLetIn } from "../catalogue/let-in.ts";
import { countLiveSessions } from "../catalogue/live-sessions.ts";
import { createPartner, listPartners } from "../catalogue/oauth-clients.ts";
import {
  createGrant,
  findConnection,
  grantsAllowedBy,
  listGrants,
  mayConnect,
} from "../catalogue/oauth-grants.ts";
import { findOffer, searchOffers } from "../catalogue/offer-search.ts";
import {
  hasRecordedViews,
  listOffers,
  readSpendToday,
  requireOffer,
  updateOffer,
} from "../catalogue/offers.ts";
import { archiveWebsite, requireOwnWebsite } from "../catalogue/own-websites.ts";
import { keepPageCheck, readPageChecks } from "../catalogue/page-checks.ts";
import { adjustAdvertiser, depositToAdvertiser } from "../catalogue/payments.ts";
import {
  findPublisher,
  listPublishers,
  publisherIdsByNumber,
  readPublisherIds,
  requirePublisher,
} from "../catalogue/publishers.ts";
import { listSites, readPublishers } from "../catalogue/publishers-of-operator.ts";
import { noteRun, readRunNotes } from "../catalogue/run-notes.ts";
import { beginSession, findSignedIn, listSessions } from "../catalogue/sessions.ts";
import { findLink, linkOf, makeLinkFor } from "../catalogue/sign-in-links.ts";
import { readKeyRefusals, readManyTagCalls, readTagCalls } from "../catalogue/tag-calls.ts";
import { prepareTagFacts, readOfferFacts } from "../catalogue/tag-facts.ts";
import { listTeam, putMember } from "../catalogue/team-members.ts";
import { findForSignIn } from "../catalogue/user-access.ts";
import { createUser, emailOfUser, hasUsers, listUsers, requireUser } from "../catalogue/users.ts";
import {
  createWebsite,
  listDeletedWebsites,
  listWebsites,
  requireEverWebsite,
  requireWebsite,
  updateWebsite,
  websiteKeysById,
} from "../catalogue/websites.ts";
import { addRandomOffers, randomEntries } from "../conformance/random-visits-for-tests.ts";
import type { Schema } from "../schema.ts";
import { newCatalogueFile } from "../sqlite/file-for-tests.ts";
import { prepareBatchWriter } from "../sqlite/write-batch.ts";

const monday = Date.UTC(2026, 4, 4);
const hourMs = 3_600_000;
const now = monday + 40 * hourMs;
let file: Awaited<ReturnType<typeof newCatalogueFile>>;
let shared: Awaited<ReturnType<typeof sameBooks>>;
let found: { userId: number; clientId: string; token: string; request: string; clickId: string };

beforeAll(async () => {
  file = await newCatalogueFile(tmpdir());
  const { db } = file;
  await makePublishers(db, [2, 1]);
  await addRandomOffers(db, { offer_cpc: { daily_click_cap: 30 } });
  const random = seededRandom(7);
  const entries = randomEntries(random, 150);
  const writer = prepareBatchWriter(file.sqlite);
  for (let at = 0; at < entries.length; at += 40) writer.write(entries.slice(at, at + 40), 0);
  for (const [number, origin] of [
    "https://a.example",
    "https://*.a.example",
    "https://c.example",
  ].entries()) {
    const geoRule = { mode: "allowlist", entries: ["US-NJ"], unknownLocation: "allow" };
    const origins = [origin, "https://all.example"];
    await updateWebsite(file, `ws_${number + 1}`, { origins, geoRule }, fewPlaces);
  }
  const gone = {
    publisherId: "publisher_1",
    name: "Gone",
    vertical: "news",
    origins: ["https://gone.example"],
  };
  const { websiteKey: deleted } = await createWebsite(file, websiteInput.parse(gone), {
    now,
    rules: fewPlaces,
  });
  await archiveWebsite(file, { publisherId: "publisher_1", websiteKey: deleted }, { name: "Gone", now });
  await depositToAdvertiser(file, "advertiser_2", { micros: 12, note: "ÄÖ 漢 🙂" }, { now });
  await adjustAdvertiser(file, "advertiser_2", { micros: -5, note: "mistyped" }, { now });
  // As where its offers are in another currency than it has paid in.
  await db.updateTable("ledger_line").set({ currency: "CHF" }).where("kind", "=", "adjustment").execute();
  await updateOffer(file, "offer_cpc2", { brand: "Orchard 100 % \\ Bank_", title: "ÄÖ" }, fewPlaces);
  const one = publisherId.parse("publisher_1");
  const { keyId } = await createApiKey(file, { publisherId: one, name: "k" }, 5);
  await createIntegrationSecret(file, "ws_1", 6);
  await setCurrencyRate(file, "JPY", 0.0061);
  await keepPageCheck(file, "ws_1", { url: "https://pier.example/a?b=1#c", findings: [], at: now });
  await putChunks(db, new Map([["one.js", Buffer.from("gzipped")]]), now);
  await noteRun(file, { kind: "audit", at: now, isGood: true, says: "fine" });
  const { userId } = await createUser(file, { email: "ada@example.com", isOperator: true }, 9);
  await putMember(db, { userId, publisherId: one, role: "owner" }, 9);
  const ada = { ...file, actor: { kind: "user" as const, userId, name: "Ada" } };
  await createApiKey(ada, { publisherId: one, name: "own" }, 10);
  await createIntegrationSecret(ada, "ws_2", 10);
  await beginSession(file, { userId, hash: "cookie", agent: "Firefox" }, now);
  const by = { madeBy: "Ada", publisherId: one, role: "viewer" as const, isOperator: false };
  await invite(file, { email: "bob@example.com", ...by }, now);
  const { token } = await makeLinkFor(file, { kind: "password", email: "ada@example.com", madeBy: "x" }, now);
  const partner = { name: "Partner", redirectUris: ["https://partner.example/back"] };
  const { clientId } = await createPartner(file, partner, 9);
  const grant = { grantId: "grant", clientId, userId, publisherId: one, scopes: ["offers:read" as const] };
  await createGrant(file, { ...grant, at: now });
  await callFromPages(db, keyId);
  const click = await db
    .selectFrom("fact")
    .select(["request", "click_id"])
    .where("click_id", "is not", null)
    .where("billed_micros", "is not", null)
    .executeTakeFirstOrThrow();
  const textOf = (bytes: Uint8Array | null) => Buffer.from(bytes ?? []).toString("base64url");
  found = { userId, clientId, token, request: textOf(click.request), clickId: textOf(click.click_id) };
  shared = await sameBooks(file);
});
// It closes both.
afterAll(() => shared.close());

/** Loads and refusals of each website's tag, some by another's pages, and a key that was refused. */
const callFromPages = async (db: Kysely<Schema>, keyId: string): Promise<void> => {
  const hosts = ["a.example", "www.a.example", "all.example", "c.example"];
  const hour = now - (now % hourMs);
  for (const website of [1, 2, 3]) {
    for (const [index, host] of hosts.entries()) {
      const at = hour - (index + website) * 7 * hourMs;
      const ping = {
        website_id: website,
        host,
        script_version: `0.${index % 2}`,
        hour: at,
        loads: index + 1,
      };
      await db
        .insertInto("snippet_ping")
        .values({ ...ping, surface: "overlay", url: `https://${host}/`, last_at: at + index })
        .execute();
      const code = index % 2 === 0 ? "origin_not_registered" : "wrong_public_key";
      const detail = `https://${host}${index % 2 === 0 ? "" : " pub_x"}`;
      const times = { hour: at, times: 3, last_at: at + 5 };
      await db
        .insertInto("trouble")
        .values({ subject: websiteSubject(website), code, detail, ...times })
        .execute();
    }
  }
  const refused = { code: "key_expired" as never, detail: "", hour, times: 2, last_at: hour };
  await db
    .insertInto("trouble")
    .values({ subject: `key:${keyId}` as never, ...refused })
    .execute();
};

const days = { from: "2026-05-01", to: "2026-05-31" };
const websites = [1, 2].map((id) => ({ id, key: websiteKey.parse(`ws_${id}`) }));
const filter = { ...days, websites, test: false, eventTypes: [] };
const detailed = { ...filter, groupBy: [...reportDimensions] };
const keys = ["ws_1", "ws_2", "ws_3"].map((key) => websiteKey.parse(key));
const [first = websiteKey.parse("ws_1")] = keys;
const own = { publisherId: "publisher_1", websiteKey: first };

/** Each function that reads, by its name: one that is missing is found below. */
const readings: Record<string, (db: Kysely<Schema>) => Promise<unknown>> = {
  activityOfVersion: (db) => activityOfVersion(db, 3),
  audit,
  changedApiKeys: (db) => changedApiKeys(db, 0),
  changedCurrencies: (db) => changedCurrencies(db, 0),
  changedSecrets: (db) => changedSecrets(db, 0),
  countLiveSessions: (db) => countLiveSessions(db, monday),
  emailOfUser: (db) => emailOfUser(db, found.userId),
  findConnection: (db) => findConnection(db, { grantId: "grant", now }),
  findChunk: (db) => findChunk(db, "one.js"),
  findForSignIn: (db) => findForSignIn(db, "ada@example.com"),
  findLetIn: (db) => findLetIn(db, found.userId),
  findLink: (db) => findLink(db, found.token, now),
  findOffer: (db) => findOffer(db, "offer_cpc", dayNumber(monday)),
  findPublisher: (db) => findPublisher(db, "publisher_1"),
  findSignedIn: (db) => findSignedIn(db, "cookie", now),
  grantsAllowedBy: (db) => grantsAllowedBy(db, found.userId),
  hasUsers,
  linkOf: (db) => linkOf(db, found.token, now),
  liveCredentialsMadeBy: (db) => liveCredentialsMadeBy(db, found.userId, now),
  listActivity: (db) => listActivity(db, { limit: 100 }),
  currenciesOf,
  listAdvertisers,
  listAllowlists,
  listApiKeys: (db) => listApiKeys(db),
  listCurrencies,
  listForeignPayments,
  listGrants: (db) => listGrants(db, { publisherId: "publisher_1", now }),
  listIntegrationSecrets: (db) => listIntegrationSecrets(db),
  listInvitations: (db) => listInvitations(db, "publisher_1", now),
  listOffers: (db) => listOffers(db),
  listPartners: (db) => listPartners(db, now),
  listPendingInvitations: (db) => listPendingInvitations(db, now),
  listPublishers,
  listSessions: (db) => listSessions(db, found.userId, now),
  listSites: (db) => listSites(db),
  listDeletedWebsites: (db) => listDeletedWebsites(db),
  listTeam: (db) => listTeam(db, "publisher_1"),
  listUsers,
  listWebsites: (db) => listWebsites(db),
  mayConnect: (db) => mayConnect(db, { ...found, publisherId: publisherId.parse("publisher_1") }),
  prepareTagFacts: async (db) => (await prepareTagFacts(db, await requireWebsite(db, first), 0))(),
  publisherIdsByNumber,
  readAdvertiserStatement: async (db) => [
    await readAdvertiserStatement(db, { advertiserId: "advertiser_1", ...days }),
    await readAdvertiserStatement(db, { advertiserId: "advertiser_2", from: "2026-05-05", to: "2026-05-05" }),
  ],
  readAdvertisers: (db) => readAdvertisers(db, dayNumber(monday)),
  readCallsElsewhere: (db) =>
    readCallsElsewhere(
      db,
      keys.map((key, index) => ({
        ...{ id: index + 1, key, publisherId: index < 2 ? "publisher_1" : "publisher_2", since: 0 },
        origins: [
          ["https://a.example", "https://*.a.example", "https://c.example"][index] ?? "",
          "https://all.example",
        ],
      })),
    ),
  readCatalogueChanges: (db) => readingOf({ db }).changes(),
  readDetailRows: (db) => readDetailRows(db, detailed),
  readFacts: async (db) => (await readFacts(db)).catalogue,
  readKeyRefusals: async (db) => readKeyRefusals(db, `key:${(await listApiKeys(db))[0]?.keyId}` as never, 0),
  readLedger: async (db) => {
    const all = await readLedger(db, { advertiserId: "advertiser_1", before: null, kind: null });
    const next = await readLedger(db, { advertiserId: "advertiser_1", before: all.before, kind: null });
    return [all, next, await readLedger(db, { advertiserId: "advertiser_2", before: null, kind: "deposit" })];
  },
  readManyTagCalls: (db) => readManyTagCalls(db, keys, now),
  readOfferFacts: async (db) => readOfferFacts(db, await requireWebsite(db, first)),
  readPageChecks: (db) => readPageChecks(db, "publisher_1", now),
  readPublisherIds: async (db) => [...(await readPublisherIds(db))].toSorted(),
  readPublishers: (db) => readPublishers(db),
  readRefusedEvents: (db) => readRefusedEvents(db, { from: monday, to: now, isTest: false }),
  readReport: (db) => readReport(db, { ...filter, groupBy: defaultGrouping }),
  readReportBySurface: (db) =>
    readReportBySurface(db, { ...filter, groupBy: defaultGrouping }, ["overlay", "decline"]),
  readRequestStory: async (db) => [
    await readRequestStory(db, { by: "click", clickId: found.clickId }),
    await readRequestStory(db, {
      by: "event",
      key: { request: found.request, offer: 0, type: factTypes.blocked, seq: 0 },
    }),
  ],
  readRunNotes,
  readFollowedClicks: (db) =>
    readFollowedClicks(db, {
      advertiserId: "advertiser_1",
      from: "2020-01-02",
      to: "2054-10-01",
      most: 1000,
    }),
  readSpendByDay: (db) => readSpendByDay(db, "advertiser_1", dayNumber(now)),
  readSpendToday: (db) => readSpendToday(db, "offer_cpm", now),
  readStatement: (db) => readStatement(db, { publisherId: "publisher_1", ...days }),
  readStatements: (db) => readStatements(db, days),
  readTagCalls: (db) => readTagCalls(db, first, 0),
  recount,
  reportText: async (db) => [
    Buffer.from(await reportText(db, { ...detailed, utcOffset: 3 }, "csv")).toString(),
    Buffer.from(await reportText(db, { ...filter, groupBy: ["country", "date"] }, "json")).toString(),
  ],
  requireAdvertiser: (db) => requireAdvertiser(db, "advertiser_1"),
  requireOffer: (db) => requireOffer(db, "offer_cpm"),
  hasRecordedViews: async (db) => [
    await hasRecordedViews(db, "offer_cpm"),
    await hasRecordedViews(db, "offer_none"),
  ],
  requireOwnWebsite: (db) => requireOwnWebsite(db, own),
  requirePublisher: (db) => requirePublisher(db, "publisher_2"),
  requireUser: (db) => requireUser(db, "ada@example.com"),
  requireWebsite: (db) => requireWebsite(db, first),
  requireEverWebsite: (db) => requireEverWebsite(db, first),
  searchOffers: (db) =>
    Promise.all(
      ["", "ORCHARD 100 %", "bank_", "\\", "äö", "cp"].map((text) =>
        searchOffers(db, { text }, { page: 1, pageSize: 3, day: dayNumber(monday) }),
      ),
    ),
  websiteKeysById,
};

test.each(Object.entries(readings))("%s finds the same on both engines", async (_, read) => {
  const ofFile = await read(file.db);
  expect(await read(shared.db)).toEqual(ofFile);
  // Nothing at all is the same everywhere.
  expect(JSON.stringify(ofFile, (__, value) => (value instanceof Map ? [...value] : value))).not.toMatch(
    /^(?:null|\[\]|\{\})$/,
  );
});

test("every function of the catalogue and the books that reads is among them", () => {
  const rooms = ["catalogue", "books"].map((room) => join(import.meta.dirname, "..", room));
  const reading = rooms.flatMap((room) =>
    readdirSync(room)
      .filter((name) => !/(\.test|-for-tests)\.ts$/.test(name))
      .flatMap((name) =>
        readFileSync(join(room, name), "utf8")
          .split(/^export (?:async )?function /m)
          .slice(1)
          .filter(
            (part) =>
              /^\w+\(\s*db: Kysely<Schema>/.test(part) && !/^(?:put|insert|note|end|forget)/.test(part),
          )
          .map((part) => part.slice(0, part.indexOf("("))),
      ),
  );
  expect(reading.length).toBeGreaterThan(50);
  // Of those that other readings are made of, or that only refuse.
  const within = [
    ...[
      "exactFigures",
      "exactly",
      "readWaitingLines",
      "recountBooks",
      "requireCurrency",
      "requireListed",
      "requireVersion",
      "websiteRows",
    ],
  ];
  expect(reading.filter((name) => !(name in readings) && !within.includes(name))).toEqual([]);
});
