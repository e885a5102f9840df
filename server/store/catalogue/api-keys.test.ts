import { tmpdir } from "node:os";
import { publisherInput, websiteInput } from "@offers/contract/catalogue";
import { websiteKey as websiteKeyOf } from "@offers/contract/ids";
import { scopes } from "@offers/contract/words";
import { sql } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";
import { isLiveApiKey, parseApiKey } from "../../core/api-key.ts";
import { keysByUser } from "../migrations/0029-keys-by-user.ts";
import { changedApiKeys, createApiKey, listApiKeys, revokeApiKey, rotateApiKey } from "./api-keys.ts";
import { fewPlaces, newCatalogue } from "./catalogue-for-tests.ts";
import type { CatalogueHandle } from "./catalogue-handle.ts";
import { CatalogueRefusal } from "./catalogue-refusal.ts";
import { archiveWebsite } from "./own-websites.ts";
import { createPublisher } from "./publishers.ts";
import { createUser } from "./users.ts";
import { createWebsite } from "./websites.ts";

const freshCatalogue = async () => {
  const catalogue = await newCatalogue(tmpdir());
  onTestFinished(() => catalogue.close());
  return catalogue;
};

const now = Date.parse("2026-11-20T12:00:00Z");
const hour = 3_600_000;

const withPublisher = async () => {
  const catalogue = await freshCatalogue();
  const { db } = catalogue;
  const { publisherId } = await createPublisher(catalogue, publisherInput.parse({ name: "A" }), { now });
  const version = async () =>
    (await db.selectFrom("catalogue_version").select("version").executeTakeFirstOrThrow()).version;
  /** Whether the key would be let in at that moment. */
  const isGood = async (key: string, at: number) => {
    const presented = parseApiKey(key) ?? expect.fail("an issued key must parse");
    const stored = (await changedApiKeys(db, 0)).find(({ id }) => id === presented.id);
    return isLiveApiKey(presented, stored, at);
  };
  return { catalogue, db, publisherId, version, isGood };
};

const addWebsite = (catalogue: CatalogueHandle, publisherId: string, key: string) =>
  createWebsite(
    catalogue,
    websiteInput.parse({ publisherId, name: "W", origins: [`https://${key.slice(3)}.example`] }),
    {
      now,
      rules: fewPlaces,
      key: websiteKeyOf.parse(key),
    },
  );

describe("the store of API keys", () => {
  it("issues a key with every scope and no end, and keeps nothing that could be presented", async () => {
    const { catalogue, db, publisherId, isGood } = await withPublisher();
    const { key, keyId } = await createApiKey(catalogue, { publisherId }, now);
    expect(await isGood(key, now + 10 ** 12)).toBe(true);
    expect(await listApiKeys(db)).toEqual([
      {
        keyId,
        name: "",
        madeBy: null,
        publisherId,
        websiteKey: null,
        prefix: `sk_${keyId}`,
        lastFour: key.slice(-4),
        scopes: [...scopes],
        createdAt: now,
        expiresAt: null,
        revokedAt: null,
        lastUsedAt: null,
      },
    ]);
    const kept = JSON.stringify(await db.selectFrom("api_key").selectAll().execute());
    expect(kept).not.toContain(key.slice(`sk_${keyId}_`.length, -6));
  });

  it("issues a key with some scopes and an end", async () => {
    const { catalogue, db, publisherId, isGood } = await withPublisher();
    const { key } = await createApiKey(
      catalogue,
      { publisherId, scopes: ["reports:read", "offers:read"], expiresAt: now + hour },
      now,
    );
    expect(await listApiKeys(db, { publisherId })).toMatchObject([
      { scopes: ["offers:read", "reports:read"], expiresAt: now + hour },
    ]);
    expect(await isGood(key, now + hour - 1)).toBe(true);
    expect(await isGood(key, now + hour)).toBe(false);
  });

  it("lets several keys of a publisher live at once, and revokes one for good", async () => {
    const { catalogue, publisherId, isGood } = await withPublisher();
    const one = await createApiKey(catalogue, { publisherId }, now);
    const other = await createApiKey(catalogue, { publisherId }, now);
    expect(await revokeApiKey(catalogue, one.keyId, now + 1)).toEqual({
      keyId: one.keyId,
      revokedAt: now + 1,
    });
    expect(await revokeApiKey(catalogue, one.keyId, now + 2)).toEqual({
      keyId: one.keyId,
      revokedAt: now + 1,
    });
    expect(await isGood(one.key, now)).toBe(false);
    expect(await isGood(other.key, now)).toBe(true);
  });

  it("rotates a key: both live until the overlap ends", async () => {
    const { catalogue, db, publisherId, isGood } = await withPublisher();
    const old = await createApiKey(catalogue, { publisherId, scopes: ["events:write"] }, now);
    const fresh = await rotateApiKey(catalogue, old.keyId, { overlapMs: hour, now });
    expect(fresh.oldKeyExpiresAt).toBe(now + hour);
    expect(await isGood(old.key, now + hour - 1)).toBe(true);
    expect(await isGood(old.key, now + hour)).toBe(false);
    expect(await isGood(fresh.key, now + 100 * hour)).toBe(true);
    expect(await listApiKeys(db)).toContainEqual(
      expect.objectContaining({ keyId: fresh.keyId, scopes: ["events:write"], expiresAt: null }),
    );
  });

  it("never lengthens a key's life by rotating it", async () => {
    const { catalogue, publisherId } = await withPublisher();
    const old = await createApiKey(catalogue, { publisherId, expiresAt: now + 10 }, now);
    expect(await rotateApiKey(catalogue, old.keyId, { overlapMs: hour, now })).toMatchObject({
      oldKeyExpiresAt: now + 10,
    });
  });

  it.each([
    ["no end", null],
    ["an end beyond the overlap", now + 100 * hour],
    ["an end within it", now + hour / 2],
  ])("follows a key of %s by one that lasts as long, however often it is rotated", async (_, expiresAt) => {
    const { catalogue, db, publisherId } = await withPublisher();
    const { keyId } = await createApiKey(catalogue, { publisherId, expiresAt }, now);
    const ends: number[] = [];
    for (const [at, overlapMs] of [
      [now, 2 * hour],
      [now + 1, hour],
      [now + 2, 3 * hour],
    ] as const) {
      const rotated = await rotateApiKey(catalogue, keyId, { overlapMs, now: at });
      ends.push(rotated.oldKeyExpiresAt);
      expect(await listApiKeys(db)).toContainEqual(
        expect.objectContaining({ keyId: rotated.keyId, expiresAt }),
      );
    }
    const latest = expiresAt ?? Number.POSITIVE_INFINITY;
    expect(ends).toEqual(
      [now + 2 * hour, now + 1 + hour, now + 1 + hour].map((end) => Math.min(end, latest)),
    );
  });

  it("tells every running server about each change", async () => {
    const { catalogue, publisherId, version } = await withPublisher();
    const before = await version();
    const { keyId } = await createApiKey(catalogue, { publisherId }, now);
    await rotateApiKey(catalogue, keyId, { overlapMs: hour, now });
    await revokeApiKey(catalogue, keyId, now);
    expect(await version()).toBe(before + 3);
  });

  it("issues a key to one website, and keeps it to that when it is rotated", async () => {
    const { catalogue, db, publisherId } = await withPublisher();
    const { websiteKey } = await addWebsite(catalogue, publisherId, "ws_one");
    const { keyId } = await createApiKey(catalogue, { publisherId, websiteKey }, now);
    const { keyId: next } = await rotateApiKey(catalogue, keyId, { overlapMs: hour, now });
    const { id } = await db
      .selectFrom("website")
      .select("id")
      .where("key", "=", websiteKey)
      .executeTakeFirstOrThrow();
    expect((await listApiKeys(db)).map((one) => one.websiteKey)).toEqual([websiteKey, websiteKey]);
    const changed = await changedApiKeys(db, 0);
    expect(changed.map((one) => [one.id, one.websiteId]).sort()).toEqual(
      [
        [keyId, id],
        [next, id],
      ].sort(),
    );
  });

  it.each([
    ["an unknown publisher", "publisherId", { publisherId: "publisher_none" }],
    ["another publisher's website", "websiteKey", { websiteKey: "ws_foreign" }],
    ["an empty website, which is not all of them", "websiteKey", { websiteKey: "" }],
    ["a deleted website", "websiteKey", { websiteKey: "ws_gone" }],
    ["no scope", "scopes", { scopes: [] }],
    ["an end that is past", "expiresAt", { expiresAt: now }],
  ])("refuses %s and issues nothing", async (_name, field, input) => {
    const { catalogue, db, publisherId } = await withPublisher();
    const other = await createPublisher(catalogue, publisherInput.parse({ name: "B" }), { now });
    await addWebsite(catalogue, other.publisherId, "ws_foreign");
    await addWebsite(catalogue, publisherId, "ws_gone");
    await archiveWebsite(catalogue, { publisherId, websiteKey: "ws_gone" }, { name: "W", now });
    await expect(createApiKey(catalogue, { publisherId, ...input }, now)).rejects.toMatchObject({
      problems: [{ field }],
    });
    expect(await listApiKeys(db)).toEqual([]);
  });

  it("gets its maker's number from Activity, where it was made before that was kept", async () => {
    const { catalogue, db, publisherId } = await withPublisher();
    const { userId } = await createUser(catalogue, { email: "ada@example.com", isOperator: false }, now);
    await createApiKey(catalogue, { publisherId }, now);
    const ada = { ...catalogue, actor: { kind: "user" as const, userId, name: "Ada" } };
    const { keyId } = await createApiKey(ada, { publisherId }, now);
    const makers = async () =>
      (await db.selectFrom("api_key").select(["id", "made_by_user"]).execute()).flatMap(
        ({ id, made_by_user }) => (made_by_user === null ? [] : [[id, made_by_user]]),
      );
    expect(await makers()).toEqual([[keyId, userId]]);
    await sql`alter table api_key drop column made_by_user`.execute(db);
    for (const statement of keysByUser.postgres.up) await sql.raw(statement).execute(db);
    expect(await makers()).toEqual([[keyId, userId]]);
  });

  it("refuses to rotate or revoke what is not there, and to rotate what is dead", async () => {
    const { catalogue, db, publisherId } = await withPublisher();
    await expect(revokeApiKey(catalogue, "none", now)).rejects.toThrow(CatalogueRefusal);
    await expect(rotateApiKey(catalogue, "none", { overlapMs: 0, now })).rejects.toThrow(CatalogueRefusal);
    const revoked = await createApiKey(catalogue, { publisherId }, now);
    await revokeApiKey(catalogue, revoked.keyId, now);
    await expect(rotateApiKey(catalogue, revoked.keyId, { overlapMs: 0, now })).rejects.toThrow(
      CatalogueRefusal,
    );
    const expired = await createApiKey(catalogue, { publisherId, expiresAt: now + 1 }, now);
    await expect(rotateApiKey(catalogue, expired.keyId, { overlapMs: 0, now: now + 1 })).rejects.toThrow(
      CatalogueRefusal,
    );
    expect(await listApiKeys(db)).toHaveLength(2);
  });
});
