import { type PublisherId, publisherId } from "@offers/contract/ids";
import { oauthLifetimes } from "@offers/contract/oauth";
import { type Scope, scopes } from "@offers/contract/words";
import type { Kysely } from "kysely";
import { type Connection, mayConnectPartners, type NewGrant } from "../../core/oauth.ts";
import type { Schema } from "../schema.ts";
import { type CatalogueChange, changeCatalogue } from "./catalogue-change.ts";
import type { CatalogueHandle } from "./catalogue-handle.ts";
import { UnknownSubject } from "./catalogue-refusal.ts";

/** A connection as its publisher may see it. Times are milliseconds since the epoch. */
export type ListedGrant = {
  grantId: string;
  clientId: string;
  partner: string;
  userId: number;
  /** The name of who allowed it; null: their account is gone. */
  allowedBy: string | null;
  publisherId: PublisherId;
  scopes: readonly Scope[];
  at: number;
  /** When it ends by itself. */
  endsAt: number;
  /** To the minute; null: never. */
  lastUsedAt: number | null;
};

/** A connection that was made at this moment or before it is at its end by `now`. Milliseconds since the epoch. */
export function oldestLiveGrant(now: number): number {
  return now - oauthLifetimes.connectionSeconds * 1000;
}

/** Whether somebody may connect a partner to a publisher, as accounts, roles and partners stand in this transaction. */
export async function mayConnect(
  db: Kysely<Schema>,
  { userId, publisherId: connected, clientId }: Pick<NewGrant, "userId" | "publisherId" | "clientId">,
): Promise<boolean> {
  const member = await db
    .selectFrom("member")
    .innerJoin("user", "user.id", "member.user_id")
    .select("member.role")
    .where("member.user_id", "=", userId)
    .where("member.publisher_id", "=", connected)
    .where("user.disabled_at", "is", null)
    .executeTakeFirst();
  if (member === undefined || !mayConnectPartners(member.role)) return false;
  const client = await db
    .selectFrom("oauth_client")
    .select("id")
    .where("id", "=", clientId)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
  return client !== undefined;
}

/** Keeps what a person has allowed a partner. */
export function createGrant(catalogue: CatalogueHandle, grant: NewGrant): Promise<void> {
  return changeCatalogue(catalogue, async ({ db, version, tell }) => {
    const { name } = await db
      .selectFrom("oauth_client")
      .select("name")
      .where("id", "=", grant.clientId)
      .executeTakeFirstOrThrow();
    await db
      .insertInto("oauth_grant")
      .values({
        id: grant.grantId,
        client_id: grant.clientId,
        user_id: grant.userId,
        publisher_id: grant.publisherId,
        scopes_json: JSON.stringify(grant.scopes),
        at: grant.at,
        last_used_at: null,
        revoked_at: null,
        changed: version,
      })
      .execute();
    await tell({
      publisherId: grant.publisherId,
      subject: { kind: "connection", id: grant.grantId, name },
      action: "connected",
      before: null,
      after: { scopes: grant.scopes },
    });
  });
}

/**
 * Ends a connection and every code and token of it at `at` (milliseconds since the epoch); one that is ended, has come to
 * its end by itself, or is unknown, stays so.
 * @param ended.isByPartner whether its partner did it, and not whoever works on the catalogue.
 */
export async function endGrant(
  catalogue: CatalogueHandle,
  { grantId, at, isByPartner = false }: { grantId: string; at: number; isByPartner?: boolean },
): Promise<void> {
  const live = await catalogue.db
    .selectFrom("oauth_grant")
    .innerJoin("oauth_client", "oauth_client.id", "oauth_grant.client_id")
    .select(["oauth_grant.publisher_id", "oauth_client.name"])
    .where("oauth_grant.id", "=", grantId)
    .where("oauth_grant.revoked_at", "is", null)
    .where("oauth_grant.at", ">", oldestLiveGrant(at))
    .executeTakeFirst();
  // What is ended already is no change of the catalogue; a code or token of it may still have come in between.
  if (live === undefined) return catalogue.transact((db) => deleteRowsOf(db, grantId));
  const { name } = live;
  const by = isByPartner ? { ...catalogue, actor: { kind: "partner" as const, name } } : catalogue;
  await changeCatalogue(by, async ({ db, version, tell }) => {
    const ended = await db
      .updateTable("oauth_grant")
      .set({ revoked_at: at, changed: version })
      .where("id", "=", grantId)
      .where("revoked_at", "is", null)
      .returning("id")
      .executeTakeFirst();
    await deleteRowsOf(db, grantId);
    // Somebody else has ended it meanwhile, and told.
    if (ended === undefined) return;
    await tellDisconnected(tell, { id: grantId, name, publisher_id: live.publisher_id });
  });
}

/** Tells the publisher of a connection that has ended; `name`: its partner's. */
export async function tellDisconnected(
  tell: CatalogueChange["tell"],
  { id, name, publisher_id }: { id: string; name: string; publisher_id: string },
): Promise<void> {
  await tell({
    publisherId: publisher_id,
    subject: { kind: "connection", id, name },
    action: "disconnected",
    before: { isLive: true },
    after: null,
  });
}

/** For whom a connection is and when it ends; null: none of this id is live at `now`. */
export async function findConnection(
  db: Kysely<Schema>,
  { grantId, now }: { grantId: string; now: number },
): Promise<Connection | null> {
  const row = await db
    .selectFrom("oauth_grant")
    .innerJoin("publisher", "publisher.id", "oauth_grant.publisher_id")
    .select(["publisher.id", "publisher.name", "oauth_grant.at"])
    .where("oauth_grant.id", "=", grantId)
    .where("oauth_grant.revoked_at", "is", null)
    .where("oauth_grant.at", ">", oldestLiveGrant(now))
    .executeTakeFirst();
  if (row === undefined) return null;
  return { publisherId: publisherId.parse(row.id), publisher: row.name, endsAt: endOf(row.at) };
}

/** The connections that somebody has allowed and nobody has ended, by their ids. */
export async function grantsAllowedBy(db: Kysely<Schema>, userId: number): Promise<string[]> {
  const rows = await db
    .selectFrom("oauth_grant")
    .select("id")
    .where("user_id", "=", userId)
    .where("revoked_at", "is", null)
    .execute();
  return rows.map(({ id }) => id);
}

/** The live connections of one publisher at `now`, newest first. */
export async function listGrants(
  db: Kysely<Schema>,
  { publisherId: owner, now }: { publisherId: string; now: number },
): Promise<ListedGrant[]> {
  const rows = await db
    .selectFrom("oauth_grant")
    .innerJoin("oauth_client", "oauth_client.id", "oauth_grant.client_id")
    .selectAll("oauth_grant")
    .leftJoin("user", "user.id", "oauth_grant.user_id")
    .select(["oauth_client.name as partner", "user.name as allowed_by"])
    .where("oauth_grant.publisher_id", "=", owner)
    .where("oauth_grant.revoked_at", "is", null)
    .where("oauth_grant.at", ">", oldestLiveGrant(now))
    .orderBy("oauth_grant.at", "desc")
    .orderBy("oauth_grant.id")
    .execute();
  return rows.map((row) => {
    const granted: unknown = JSON.parse(row.scopes_json);
    return {
      grantId: row.id,
      clientId: row.client_id,
      partner: row.partner,
      userId: row.user_id,
      allowedBy: row.allowed_by,
      publisherId: publisherId.parse(row.publisher_id),
      scopes: scopes.filter((scope) => Array.isArray(granted) && granted.includes(scope)),
      at: row.at,
      endsAt: endOf(row.at),
      lastUsedAt: row.last_used_at,
    };
  });
}

/**
 * Ends a connection of one publisher, as its people may. Throws an UnknownSubject when the publisher has none of this
 * id; another publisher's is unknown to it.
 */
export async function revokeGrant(
  catalogue: CatalogueHandle,
  { grantId, publisherId: owner, at }: { grantId: string; publisherId: string; at: number },
): Promise<void> {
  const row = await catalogue.db
    .selectFrom("oauth_grant")
    .select("id")
    .where("id", "=", grantId)
    .where("publisher_id", "=", owner)
    .executeTakeFirst();
  if (row === undefined) throw new UnknownSubject();
  await endGrant(catalogue, { grantId, at });
}

/** When a connection that was made at this moment ends by itself. Milliseconds since the epoch. */
const endOf = (madeAt: number): number => madeAt + oauthLifetimes.connectionSeconds * 1000;

const deleteRowsOf = async (db: Kysely<Schema>, grantId: string): Promise<void> => {
  await db.deleteFrom("oauth_row").where("grant_id", "=", grantId).execute();
};
