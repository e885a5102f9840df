import { publicKey, publisherId } from "@offers/contract/ids";
import type { Kysely } from "kysely";
import { isSessionOver, seenEveryMs, sessionLife } from "../../core/session-life.ts";
import type { SignedIn } from "../../core/signed-in.ts";
import { oneAtATime } from "../dialects.ts";
import type { Schema } from "../schema.ts";
import type { CatalogueHandle } from "./catalogue-handle.ts";

/** A session as its owner may see it; times in milliseconds since the epoch. */
export type ListedSession = { sessionId: number; agent: string; createdAt: number; seenAt: number };

/** Begins a session at `now` (milliseconds since the epoch) under the hash of its cookie. */
export async function beginSession(
  catalogue: CatalogueHandle,
  session: { userId: number; hash: string; agent: string },
  now: number,
): Promise<void> {
  await catalogue.transact((db) =>
    db
      .insertInto("session")
      .values({
        hash: session.hash,
        user_id: session.userId,
        agent: session.agent,
        created_at: now,
        seen_at: now,
        signed_in_at: now,
        expires_at: now + sessionLife.mostMs,
      })
      .execute(),
  );
}

/**
 * The same for who has given the password of this hash; false, and none is begun, where it is theirs no more or they are shut
 * out: to check a password takes its time, within which others can change.
 */
export function signIn(
  catalogue: CatalogueHandle,
  { passwordHash, ...session }: { userId: number; passwordHash: string; hash: string; agent: string },
  now: number,
): Promise<boolean> {
  return catalogue.transact(async (db) => {
    await oneAtATime(db);
    const user = await db
      .selectFrom("user")
      .select("id")
      .where("id", "=", session.userId)
      .where("password_hash", "=", passwordHash)
      .where("disabled_at", "is", null)
      .executeTakeFirst();
    if (user === undefined) return false;
    await beginSession({ ...catalogue, db, transact: (work) => work(db) }, session, now);
    return true;
  });
}

/**
 * Who a session belongs to, as accounts and roles stand now; null when it is unknown or over, or its owner is shut out.
 * `isSeenDue`: its use is worth noting.
 */
export async function findSignedIn(
  db: Kysely<Schema>,
  hash: string,
  now: number,
): Promise<{ signedIn: SignedIn; isSeenDue: boolean } | null> {
  const row = await db
    .selectFrom("session")
    .innerJoin("user", "user.id", "session.user_id")
    .select([
      "session.id",
      "session.seen_at",
      "session.expires_at",
      "session.signed_in_at",
      "user.id as user_id",
      "user.email",
      "user.name",
      "user.is_operator",
      "user.theme",
      "user.password_hash",
    ])
    .where("session.hash", "=", hash)
    .where("user.disabled_at", "is", null)
    .executeTakeFirst();
  if (!row || isSessionOver({ seenAt: row.seen_at, expiresAt: row.expires_at }, now)) return null;
  const members = await db
    .selectFrom("member")
    .innerJoin("publisher", "publisher.id", "member.publisher_id")
    .select(["publisher.id", "publisher.public_key", "publisher.name", "member.role"])
    .where("member.user_id", "=", row.user_id)
    .orderBy("publisher.name")
    .orderBy("publisher.id")
    .execute();
  const signedIn: SignedIn = {
    userId: row.user_id,
    email: row.email,
    name: row.name,
    isOperator: row.is_operator === 1,
    theme: row.theme,
    memberships: members.map((member) => ({
      publisherId: publisherId.parse(member.id),
      publicKey: publicKey.parse(member.public_key),
      name: member.name,
      role: member.role,
    })),
    sessionId: row.id,
    hasPassword: row.password_hash !== null,
    signedInAt: row.signed_in_at,
  };
  return { signedIn, isSeenDue: now - row.seen_at >= seenEveryMs };
}

/** Notes that a session was used at `now`. */
export async function touchSession(catalogue: CatalogueHandle, id: number, now: number): Promise<void> {
  await catalogue.transact((db) =>
    db.updateTable("session").set({ seen_at: now }).where("id", "=", id).execute(),
  );
}

/** Notes that a session's owner gave the password at `now`. */
export async function confirmSession(catalogue: CatalogueHandle, id: number, now: number): Promise<void> {
  await catalogue.transact((db) =>
    db.updateTable("session").set({ signed_in_at: now }).where("id", "=", id).execute(),
  );
}

/** Ends the session of a cookie's hash, if there is one. */
export async function endSession(catalogue: CatalogueHandle, hash: string): Promise<void> {
  await catalogue.transact((db) => db.deleteFrom("session").where("hash", "=", hash).execute());
}

/** Ends one session of somebody; false when they have no such session. */
export async function endOwnSession(
  catalogue: CatalogueHandle,
  owner: { userId: number; sessionId: number },
): Promise<boolean> {
  const { numDeletedRows } = await catalogue.transact((db) =>
    db
      .deleteFrom("session")
      .where("id", "=", owner.sessionId)
      .where("user_id", "=", owner.userId)
      .executeTakeFirstOrThrow(),
  );
  return numDeletedRows > 0n;
}

/** Ends all sessions of somebody but one; null: every one. */
export async function endOtherSessions(
  catalogue: CatalogueHandle,
  owner: { userId: number; butSessionId: number | null },
): Promise<void> {
  await catalogue.transact((db) => endSessionsWithin(db, owner));
}

/** The same within a transaction that is open. */
export async function endSessionsWithin(
  db: Kysely<Schema>,
  { userId, butSessionId }: { userId: number; butSessionId: number | null },
): Promise<void> {
  let query = db.deleteFrom("session").where("user_id", "=", userId);
  if (butSessionId !== null) query = query.where("id", "!=", butSessionId);
  await query.execute();
}

/** Somebody's living sessions at `now`, the one used last first. */
export async function listSessions(
  db: Kysely<Schema>,
  userId: number,
  now: number,
): Promise<ListedSession[]> {
  const rows = await db
    .selectFrom("session")
    .selectAll()
    .where("user_id", "=", userId)
    .orderBy("seen_at", "desc")
    .execute();
  return rows
    .filter((row) => !isSessionOver({ seenAt: row.seen_at, expiresAt: row.expires_at }, now))
    .map((row) => ({
      sessionId: row.id,
      agent: row.agent,
      createdAt: row.created_at,
      seenAt: row.seen_at,
    }));
}
