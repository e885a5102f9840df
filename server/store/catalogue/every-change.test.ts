import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import {
  advertiserInput,
  allowlist,
  offerInput,
  publisherInput,
  websiteInput,
} from "@offers/contract/catalogue";
import { offerId, publisherId } from "@offers/contract/ids";
import { afterEach, beforeEach, expect, test } from "vitest";
import { listActivity } from "./activity.ts";
import { createAdvertiser, setAdvertiserCurrency } from "./advertisers.ts";
import { setAllowlist } from "./allowlists.ts";
import { createApiKey, revokeApiKey, rotateApiKey } from "./api-keys.ts";
import { fewPlaces, newCatalogue } from "./catalogue-for-tests.ts";
import type { OpenCatalogue } from "./catalogue-handle.ts";
import { CatalogueRefusal, UnknownSubject } from "./catalogue-refusal.ts";
import { setCurrencyRate } from "./currency-rates.ts";
import { eraseVisits } from "./erase-visits.ts";
import { addKnownSecret, createIntegrationSecret, revokeIntegrationSecret } from "./integration-secrets.ts";
import { invite, listInvitations, withdrawInvitation, withdrawInvitationsOf } from "./invitations.ts";
import { noteLook } from "./looks.ts";
import { createPartner, retirePartnerSecrets, revokePartner, rotatePartnerSecret } from "./oauth-clients.ts";
import { createGrant, endGrant } from "./oauth-grants.ts";
import { importOffers } from "./offer-import.ts";
import { createOffer, setOfferStatus, updateOffer } from "./offers.ts";
import { archiveWebsite } from "./own-websites.ts";
import { adjustAdvertiser, depositToAdvertiser } from "./payments.ts";
import { createPublisher, updatePublisher } from "./publishers.ts";
import { redeemLink } from "./redeem-link.ts";
import { beginSession, listSessions } from "./sessions.ts";
import { createUserWithLink, makeLinkFor } from "./sign-in-links.ts";
import { changeMember, putMember } from "./team-members.ts";
import { removeUser, setPassword, setUserDisabled, setUserOperator } from "./user-access.ts";
import { createUser } from "./users.ts";
import { createWebsite, setWebsitePaused, updateWebsite } from "./websites.ts";

const made = { now: 1, rules: fewPlaces };
let catalogue: Awaited<ReturnType<typeof newCatalogue>>;
beforeEach(async () => {
  catalogue = await newCatalogue(tmpdir());
});
afterEach(() => catalogue.close());

/** Every function of the room that calls `changeCatalogue`, as the files have them. */
const changing = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith(".ts") && !/(\.test|-for-tests|catalogue-change)\.ts$/.test(name))
  .flatMap((name) => {
    const parts = readFileSync(`${import.meta.dirname}/${name}`, "utf8").split(
      /^export (?:async )?function /m,
    );
    return parts.slice(1).filter((part) => part.includes("changeCatalogue("));
  })
  .map((part) => part.slice(0, part.search(/[(<]/)));

const grantOf = ({
  clientId,
  userId,
  publisherId: owner,
}: {
  clientId: string;
  userId: number;
  publisherId: string;
}) => ({
  clientId,
  userId,
  publisherId: publisherId.parse(owner),
  scopes: ["offers:read" as const],
  at: 1,
});

/** What is there before each of them. */
const fill = async () => {
  const { publisherId } = await createPublisher(catalogue, publisherInput.parse({ name: "Pier" }), made);
  const site = websiteInput.parse({ publisherId, name: "Journal", origins: ["https://pier.example"] });
  const { websiteKey } = await createWebsite(catalogue, site, made);
  const advertiser = advertiserInput.parse({ name: "Skyhop", balanceMicros: 5 });
  const advertiserId = await createAdvertiser(catalogue, advertiser, made);
  const offer = offerInput.parse({
    ...{ advertiserId, brand: "Skyhop", vertical: "travel", title: "Sea", landingUrl: "https://s.example/" },
    ...{ geoCoverage: ["*"], payoutModel: "CPC", payoutMicros: 1 },
  });
  const saved = await createOffer(catalogue, offer, made);
  const { keyId } = await createApiKey(catalogue, { publisherId }, 1);
  const { secretId } = await createIntegrationSecret(catalogue, websiteKey, 1);
  const email = "ada@example.com";
  const { userId } = await createUser(catalogue, { email, isOperator: false }, 1);
  const owner = await createUser(catalogue, { email: "olga@example.com", isOperator: true }, 1);
  await putMember(catalogue.db, { userId, publisherId, role: "editor" }, 1);
  await putMember(catalogue.db, { userId: owner.userId, publisherId, role: "owner" }, 1);
  const partner = { name: "Pier reports", redirectUris: ["https://reports.example/back"] };
  const { clientId } = await createPartner(catalogue, partner, 1);
  const grantId = "grant-of-ada";
  await createGrant(catalogue, { ...grantOf({ clientId, userId, publisherId }), grantId });
  return {
    clientId,
    grantId,
    userId,
    publisherId,
    site,
    websiteKey,
    advertiser,
    advertiserId,
    offer,
    offerId: saved,
    keyId,
    secretId,
  };
};
type Filled = Awaited<ReturnType<typeof fill>>;

const opened = (): OpenCatalogue => ({
  ...catalogue,
  clockOffsetMs: 0,
  erase: {
    request: async () => ({ events: 1, sessions: 0, pings: 0, refusedCalls: 0 }),
    website: async () => ({ events: 2, sessions: 1, pings: 0, refusedCalls: 0 }),
  },
  backUp: () => Promise.reject(new Error("no")),
  budgets: async () => ({ exhausted: [], paced: [] }),
  rateCounts: async () => null,
  troubleOf: () => null,
  storageTroubleOf: () => null,
  record: () => Promise.reject(new Error("no")),
});

const known = allowlist.parse({ mode: "all", allow: {}, block: { verticals: ["loans"] } });
const line = (saved: Filled) => ({ line: 2, offerId: null, status: null, input: saved.offer });

/** What each does, and what it tells of it, newest first; and whether the same again makes no difference. */
const table: Record<string, { does: (saved: Filled) => Promise<unknown>; tells: object[]; once?: true }> = {
  createPublisher: {
    does: () => createPublisher(catalogue, publisherInput.parse({ name: "New" }), made),
    tells: [
      {
        action: "created",
        subject: { kind: "publisher", name: "New" },
        before: null,
        after: { name: "New", shareBasisPoints: 10_000 },
      },
    ],
  },
  updatePublisher: {
    does: ({ publisherId }) => updatePublisher(catalogue, publisherId, { name: "Mole" }),
    tells: [
      {
        action: "updated",
        subject: { kind: "publisher", name: "Mole" },
        before: { name: "Pier" },
        after: { name: "Mole" },
      },
    ],
    once: true,
  },
  createWebsite: {
    does: ({ site }) => createWebsite(catalogue, { ...site, name: "Second" }, made),
    tells: [
      {
        action: "created",
        subject: { kind: "website", name: "Second" },
        before: null,
        after: { name: "Second", origins: ["https://pier.example"] },
      },
    ],
  },
  updateWebsite: {
    does: ({ websiteKey }) =>
      updateWebsite(catalogue, websiteKey, { settings: { theme: "dark" } }, fewPlaces),
    tells: [
      {
        action: "updated",
        subject: { kind: "website", name: "Journal" },
        before: { settings: { theme: "auto" } },
        after: { settings: { theme: "dark" } },
      },
    ],
    once: true,
  },
  setWebsitePaused: {
    does: ({ websiteKey }) => setWebsitePaused(catalogue, websiteKey, true),
    tells: [
      { action: "paused", subject: { kind: "website" }, before: { paused: false }, after: { paused: true } },
    ],
    once: true,
  },
  archiveWebsite: {
    // Once it is gone nobody finds it to delete.
    does: ({ websiteKey, site: { publisherId } }) =>
      archiveWebsite(catalogue, { publisherId, websiteKey }, { name: "Journal", now: made.now }).catch(
        (error: unknown) => expect(error).toBeInstanceOf(UnknownSubject),
      ),
    tells: [{ action: "removed", subject: { kind: "website", name: "Journal" }, after: null }],
    once: true,
  },
  setAllowlist: {
    does: ({ websiteKey }) => setAllowlist(catalogue, websiteKey, known),
    tells: [
      {
        action: "updated",
        subject: { kind: "website" },
        before: { allowlist: { mode: "allowlist", block: { verticals: [] } } },
        after: { allowlist: { mode: "all", block: { verticals: ["loans"] } } },
      },
    ],
    once: true,
  },
  createAdvertiser: {
    does: ({ advertiser }) => createAdvertiser(catalogue, { ...advertiser, name: "Two" }, made),
    tells: [
      {
        action: "created",
        subject: { kind: "advertiser", name: "Two" },
        before: null,
        after: { name: "Two", currency: "EUR", depositedMicros: 5 },
      },
    ],
  },
  depositToAdvertiser: {
    does: ({ advertiserId }) => depositToAdvertiser(catalogue, advertiserId, { micros: 7 }, made),
    tells: [
      {
        action: "deposited",
        subject: { kind: "advertiser", name: "Skyhop" },
        before: { depositedMicros: 5 },
        after: { depositedMicros: 12, micros: 7 },
      },
    ],
  },
  adjustAdvertiser: {
    does: ({ advertiserId }) =>
      adjustAdvertiser(catalogue, advertiserId, { micros: -2, note: "mistyped" }, made),
    tells: [
      {
        action: "adjusted",
        subject: { kind: "advertiser", name: "Skyhop" },
        before: { depositedMicros: 5 },
        after: { depositedMicros: 3, micros: -2, note: "mistyped" },
      },
    ],
  },
  setAdvertiserCurrency: {
    does: async ({ advertiserId }) => {
      await catalogue.db.deleteFrom("offer").execute();
      await catalogue.db.deleteFrom("ledger_line").execute();
      return setAdvertiserCurrency(catalogue, advertiserId, "CHF");
    },
    tells: [
      {
        action: "updated",
        subject: { kind: "advertiser", name: "Skyhop" },
        before: { currency: "EUR" },
        after: { currency: "CHF" },
      },
    ],
    once: true,
  },
  createOffer: {
    does: ({ offer }) => createOffer(catalogue, { ...offer, title: "Lake" }, made),
    tells: [
      {
        action: "created",
        subject: { kind: "offer", name: "Skyhop: Lake" },
        before: null,
        after: { title: "Lake", payoutMicros: 1 },
      },
    ],
  },
  updateOffer: {
    does: (saved) => updateOffer(catalogue, saved.offerId, { payoutMicros: 9 }, fewPlaces),
    tells: [
      {
        action: "updated",
        subject: { kind: "offer", name: "Skyhop: Sea" },
        before: { payoutMicros: 1 },
        after: { payoutMicros: 9 },
      },
    ],
    once: true,
  },
  setOfferStatus: {
    does: (saved) => setOfferStatus(catalogue, saved.offerId, "paused"),
    tells: [
      {
        action: "paused",
        subject: { kind: "offer" },
        before: { status: "active" },
        after: { status: "paused" },
      },
    ],
    once: true,
  },
  importOffers: {
    does: (saved) =>
      importOffers(
        catalogue,
        {
          offers: [line(saved), { ...line(saved), offerId: offerId.parse("offer_mine") }],
          problems: [],
        },
        made,
      ),
    tells: [
      {
        action: "imported",
        subject: { kind: "offer_file", name: "2 offers" },
        after: { created: 2, changed: 0 },
      },
    ],
  },
  setCurrencyRate: {
    does: () => setCurrencyRate(catalogue, "USD", 0.92),
    tells: [
      {
        action: "updated",
        subject: { kind: "currency", id: "USD" },
        before: { rate: null },
        after: { rate: 0.92 },
      },
    ],
    once: true,
  },
  createApiKey: {
    does: ({ publisherId }) => createApiKey(catalogue, { publisherId, scopes: ["offers:read"] }, 1),
    tells: [
      {
        action: "created",
        subject: { kind: "api_key" },
        before: null,
        after: { websiteKey: null, scopes: ["offers:read"], expiresAt: null },
      },
    ],
  },
  rotateApiKey: {
    does: ({ keyId }) => rotateApiKey(catalogue, keyId, { overlapMs: 5, now: 1 }),
    tells: [
      { action: "rotated", before: { expiresAt: null }, after: { expiresAt: 6 } },
      { action: "created", subject: { kind: "api_key" }, before: null },
    ],
  },
  revokeApiKey: {
    does: ({ keyId }) => revokeApiKey(catalogue, keyId, 5),
    tells: [{ action: "revoked", before: { revokedAt: null }, after: { revokedAt: 5 } }],
    once: true,
  },
  createIntegrationSecret: {
    does: ({ websiteKey }) => createIntegrationSecret(catalogue, websiteKey, 1),
    tells: [{ action: "secret_created", subject: { kind: "website", name: "Journal" }, before: null }],
  },
  addKnownSecret: {
    does: ({ websiteKey }) =>
      addKnownSecret(catalogue, { website: websiteKey, secret: `known-${Math.random()}`, now: 1 }),
    tells: [{ action: "secret_created", subject: { kind: "website" } }],
  },
  revokeIntegrationSecret: {
    does: ({ secretId }) => revokeIntegrationSecret(catalogue, secretId, 5),
    tells: [{ action: "secret_revoked", subject: { kind: "website" }, after: null }],
    once: true,
  },
  createUser: {
    does: () => createUser(catalogue, { email: `${Math.random()}@example.com`, isOperator: true }, 1),
    tells: [{ action: "created", subject: { kind: "user" }, before: null, after: { isOperator: true } }],
  },
  createUserWithLink: {
    does: () =>
      createUserWithLink(
        catalogue,
        { email: `${Math.random()}@example.com`, isOperator: false, madeBy: "x" },
        1,
      ),
    tells: [
      { action: "password_link_made", subject: { kind: "user" }, before: null, after: { by: "x" } },
      { action: "created", subject: { kind: "user" }, before: null, after: { isOperator: false } },
    ],
  },
  setPassword: {
    does: async ({ userId }) => {
      const hash = `${Math.random()}`;
      await catalogue.db
        .updateTable("user")
        .set({ password_hash: "$hash" })
        .where("id", "=", userId)
        .execute();
      await beginSession(catalogue, { userId, hash, agent: "Firefox" }, 1);
      const [session] = await listSessions(catalogue.db, userId, 1);
      const { sessionId } = session ?? { sessionId: 0 };
      return setPassword(catalogue, { userId, sessionId, checkedHash: "$hash", passwordHash: "$hash2" });
    },
    tells: [{ action: "password_changed", subject: { name: "ada@example.com" }, before: null }],
  },
  makeLinkFor: {
    does: () => makeLinkFor(catalogue, { kind: "password", email: "ada@example.com", madeBy: "Olga" }, 1),
    tells: [
      {
        action: "password_link_made",
        subject: { kind: "user", name: "ada@example.com" },
        before: null,
        after: { by: "Olga" },
      },
    ],
  },
  setUserOperator: {
    does: () => setUserOperator(catalogue, { email: "ada@example.com", isOperator: true }),
    tells: [
      {
        action: "updated",
        subject: { kind: "user", name: "ada@example.com" },
        before: { isOperator: false },
        after: { isOperator: true },
      },
    ],
    once: true,
  },
  noteLook: {
    does: ({ publisherId, userId }) =>
      noteLook({ ...catalogue, actor: { kind: "user", userId, name: "Ada" } }, publisherId, 0),
    tells: [
      {
        actor: { kind: "user", name: "Ada" },
        action: "looked",
        subject: { kind: "publisher" },
        before: null,
      },
    ],
    once: true,
  },
  setUserDisabled: {
    does: () => setUserDisabled(catalogue, { email: "ada@example.com", isDisabled: true }, 1),
    tells: [
      { action: "disabled", before: { isDisabled: false }, after: { isDisabled: true } },
      { action: "disconnected", subject: { kind: "connection" } },
    ],
    once: true,
  },
  removeUser: {
    // The second time there is nobody to remove.
    does: () =>
      removeUser(catalogue, { email: "ada@example.com" }, 1).catch((error: unknown) => {
        expect(error).toBeInstanceOf(CatalogueRefusal);
      }),
    tells: [
      { action: "removed", before: { isOperator: false }, after: null },
      { action: "disconnected", subject: { kind: "connection" } },
    ],
    once: true,
  },
  changeMember: {
    does: ({ publisherId, userId }) => changeMember(catalogue, { publisherId, userId, role: "viewer" }),
    tells: [
      { action: "updated", subject: { kind: "user" }, before: { role: "editor" }, after: { role: "viewer" } },
    ],
    once: true,
  },
  invite: {
    does: ({ publisherId }) =>
      invite(
        catalogue,
        { email: "eve@example.com", publisherId, role: "viewer", isOperator: false, madeBy: "Ada" },
        1,
      ),
    tells: [
      { action: "invited", subject: { name: "eve@example.com" }, before: null, after: { role: "viewer" } },
    ],
  },
  withdrawInvitation: {
    does: async ({ publisherId }) => {
      const invitation = {
        email: "bo@example.com",
        publisherId,
        role: "viewer" as const,
        isOperator: false,
        madeBy: "Ada",
      };
      await invite(catalogue, invitation, 1);
      const [listed] = await listInvitations(catalogue.db, publisherId, 1);
      await withdrawInvitation(catalogue, { publisherId, invitationId: listed?.invitationId ?? 0 });
    },
    tells: [
      { action: "withdrawn", subject: { name: "bo@example.com" }, before: { role: "viewer" }, after: null },
      { action: "invited" },
    ],
  },
  withdrawInvitationsOf: {
    does: async ({ publisherId }) => {
      const both = { email: "bo@example.com", madeBy: "Ada" };
      await invite(catalogue, { ...both, publisherId, role: "viewer", isOperator: false }, 1);
      await invite(catalogue, { ...both, publisherId: null, role: null, isOperator: true }, 1);
      await withdrawInvitationsOf(catalogue, { email: "Bo@example.com" }, 2);
    },
    tells: [
      { action: "withdrawn", subject: { name: "bo@example.com" }, before: { isOperator: true }, after: null },
      { action: "withdrawn", subject: { name: "bo@example.com" }, before: { role: "viewer" }, after: null },
      { action: "invited" },
      { action: "invited" },
    ],
  },
  redeemLink: {
    does: async ({ publisherId }) => {
      const email = `${Math.random()}@example.com`;
      const made = { email, publisherId, role: "owner" as const, isOperator: false, madeBy: "Ada" };
      const { token } = await invite(catalogue, made, 1);
      const session = { hash: email, agent: "Firefox" };
      await redeemLink(catalogue, { token, email: null, passwordHash: "$hash", byUserId: null, session }, 2);
    },
    tells: [
      { action: "joined", actor: { kind: "user" }, before: null, after: { role: "owner" } },
      { action: "invited" },
    ],
  },
  createPartner: {
    does: () => createPartner(catalogue, { name: "Mole", redirectUris: ["https://mole.example/back"] }, 1),
    tells: [
      {
        action: "created",
        subject: { kind: "partner", name: "Mole" },
        before: null,
        after: { isPublic: false },
      },
    ],
  },
  rotatePartnerSecret: {
    does: ({ clientId }) => rotatePartnerSecret(catalogue, clientId, { overlapMs: 5, now: 1 }),
    tells: [
      {
        action: "rotated",
        subject: { kind: "partner", name: "Pier reports" },
        after: { oldSecretExpiresAt: 6 },
      },
    ],
  },
  retirePartnerSecrets: {
    does: async ({ clientId }) => {
      await rotatePartnerSecret(catalogue, clientId, { overlapMs: 5, now: 1 });
      return retirePartnerSecrets(catalogue, clientId);
    },
    tells: [
      { action: "secret_revoked", before: { formerSecrets: 1 }, after: { formerSecrets: 0 } },
      { action: "rotated" },
    ],
  },
  revokePartner: {
    does: ({ clientId }) => revokePartner(catalogue, clientId, 2),
    tells: [
      { action: "disconnected", subject: { kind: "connection", name: "Pier reports" }, after: null },
      { action: "revoked", before: { revokedAt: null }, after: { revokedAt: 2 } },
    ],
    once: true,
  },
  createGrant: {
    does: (saved) => createGrant(catalogue, { ...grantOf(saved), grantId: `grant-${Math.random()}` }),
    tells: [{ action: "connected", subject: { kind: "connection", name: "Pier reports" }, before: null }],
  },
  endGrant: {
    does: (saved) => endGrant(catalogue, { grantId: saved.grantId, at: 2, isByPartner: true }),
    tells: [{ action: "disconnected", actor: { kind: "partner", name: "Pier reports" }, after: null }],
    once: true,
  },
  eraseVisits: {
    does: ({ websiteKey }) => eraseVisits(opened(), { websiteKey }),
    tells: [
      {
        action: "visits_erased",
        subject: { kind: "website", name: "Journal" },
        after: { of: "website", events: 2, sessions: 1 },
      },
    ],
  },
};

test("every function that changes the catalogue stands in the table below", () => {
  expect(Object.keys(table).sort()).toEqual(changing.toSorted());
  expect(changing.length).toBeGreaterThan(15);
});

test.each(Object.entries(table))("%s leaves a row of what it did", async (_, { does, tells, once }) => {
  const saved = await fill();
  const before = await catalogue.count("activity");
  await does(saved);
  const told = await listActivity(catalogue.db, { limit: (await catalogue.count("activity")) - before });
  expect(told).toMatchObject(tells.map((row) => ({ actor: catalogue.actor, ...row })));
  const ownersOnly = ["advertiser", "offer", "offer_file", "currency", "partner"];
  for (const { publisherId, subject } of told) {
    // An account is the operator's matter, and a place in a team the publisher's.
    if (subject.kind !== "user") expect(publisherId === null).toBe(ownersOnly.includes(subject.kind));
  }
  // A change that is made of others makes several versions, and the last of them is told as well.
  expect(Math.max(...told.map(({ version }) => version))).toBe(await catalogue.version());
  expect(JSON.stringify(told)).not.toContain("$hash");
  await does(saved);
  expect((await catalogue.count("activity")) - before).toBe(once ? told.length : told.length * 2);
});

test("only what changed is told of an edit", async () => {
  const { websiteKey, offerId: id } = await fill();
  await updateWebsite(catalogue, websiteKey, { settings: { theme: "dark" } }, fewPlaces);
  await updateOffer(catalogue, id, { title: "Lake", premium: true }, fewPlaces);
  const [offer, website] = await listActivity(catalogue.db, { limit: 2 });
  expect(website).toMatchObject({ before: { settings: { theme: "auto" } } });
  expect([website?.before, website?.after].map((side) => JSON.stringify(side))).toEqual([
    '{"settings":{"theme":"auto"}}',
    '{"settings":{"theme":"dark"}}',
  ]);
  expect([offer?.before, offer?.after]).toEqual([
    { title: "Sea", premium: false },
    { title: "Lake", premium: true },
  ]);
});

test("of a file that is read in again only the offers that changed are written", async () => {
  const saved = await fill();
  const mine = { ...line(saved), offerId: saved.offerId };
  const other = { ...line(saved), offerId: offerId.parse("offer_mine") };
  const read = (offers: (typeof mine)[]) => importOffers(catalogue, { offers, problems: [] }, made);
  await read([mine, other]);
  const rows = await catalogue.count("activity");
  const { version } = await catalogue.changes();
  expect(await read([mine, other])).toEqual({ ok: true, created: 0, updated: 2, alike: [] });
  expect(await catalogue.count("activity")).toBe(rows);
  expect((await catalogue.changes(version)).offers).toEqual([]);
  const changed = { ...other, input: { ...other.input, title: "Lake" } };
  expect(await read([mine, changed])).toEqual({ ok: true, created: 0, updated: 2, alike: [] });
  expect((await catalogue.changes(version)).offers).toMatchObject([{ id: "offer_mine", title: "Lake" }]);
  expect(await listActivity(catalogue.db, { limit: 1 })).toMatchObject([
    { after: { created: 0, changed: 1 } },
  ]);
});

test("an erasure that finds nothing leaves no row", async () => {
  const { websiteKey } = await fill();
  const before = await catalogue.count("activity");
  const nothing = async () => ({ events: 0, sessions: 0, pings: 0, refusedCalls: 0 });
  await eraseVisits({ ...opened(), erase: { request: nothing, website: nothing } }, { websiteKey });
  expect(await catalogue.count("activity")).toBe(before);
});

test("an erasure of a request that is interrupted does not tell which one it was", async () => {
  await fill();
  const broken = () => Promise.reject(new Error("disk"));
  const request = "0123456789abcdef";
  const erasing = eraseVisits({ ...opened(), erase: { request: broken, website: broken } }, { request });
  await expect(erasing).rejects.toThrow("disk");
  const [row] = await listActivity(catalogue.db, { limit: 1 });
  expect(row).toMatchObject({ action: "visits_erased", publisherId: null, after: { of: "request" } });
  expect(JSON.stringify(row)).not.toContain(request);
});

test("an erasure that is interrupted is noted all the same", async () => {
  const { websiteKey } = await fill();
  const broken = () => Promise.reject(new Error("disk"));
  const erasing = eraseVisits({ ...opened(), erase: { request: broken, website: broken } }, { websiteKey });
  await expect(erasing).rejects.toThrow("disk");
  expect(await listActivity(catalogue.db, { limit: 1 })).toMatchObject([
    { action: "visits_erased", subject: { id: websiteKey }, after: { of: "website" } },
  ]);
});
