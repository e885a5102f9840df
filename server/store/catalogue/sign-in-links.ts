import { randomBytes } from "node:crypto";
import type { Role } from "@offers/contract/words";
import type { Kysely, Selectable } from "kysely";
import { type LinkKind, linkMs, tokenBytes, tokenHash } from "../../core/session-life.ts";
import type { Schema, SignInLinkTable } from "../schema.ts";
import { noteActivity } from "./activity.ts";
import { changeCatalogue } from "./catalogue-change.ts";
import type { CatalogueHandle } from "./catalogue-handle.ts";
import { CatalogueRefusal, UnknownSubject } from "./catalogue-refusal.ts";
import { createPublisher, requirePublisher } from "./publishers.ts";
import { beginSession, endSessionsWithin } from "./sessions.ts";
import { addressOf, hasUsers, insertUser, putMember, requireUser, userSubject } from "./users.ts";

/** What a link holds; to be shown once and never stored. */
export type NewLink = { token: string; expiresAt: number };

/** A link as the page behind it may tell. */
export type LinkFacts = {
  kind: LinkKind;
  /** Null: whoever comes says it. */
  email: string | null;
  /** Whether that address is somebody's already, who may have chosen no password yet. */
  hasAccount: boolean;
  publisherName: string | null;
  role: Role | null;
  madeBy: string;
};

export type ListedInvitation = {
  invitationId: number;
  email: string;
  role: Role;
  madeBy: string;
  createdAt: number;
  expiresAt: number;
};

/** Makes the link for the first user of all, an operator; it takes the place of an earlier one. Null when there are users. */
export function makeSetUpLink(catalogue: CatalogueHandle, now: number): Promise<NewLink | null> {
  return catalogue.transact(async (db) => {
    if (await hasUsers(db)) return null;
    await db.deleteFrom("sign_in_link").where("kind", "=", "set_up").execute();
    return insertLink(db, { kind: "set_up", email: null, isOperator: true, madeBy: "the service" }, now);
  });
}

/**
 * Invites an address to a publisher's team, or, without one, as an operator. Throws a CatalogueRefusal for somebody who
 * is there already, an unknown publisher or a bad address.
 */
export function invite(
  catalogue: CatalogueHandle,
  invitation: {
    email: string;
    publisherId: string | null;
    role: Role | null;
    isOperator: boolean;
    madeBy: string;
  },
  now: number,
): Promise<NewLink> {
  return changeCatalogue(catalogue, async ({ db, tell }) => {
    const email = addressOf(invitation.email);
    const { publisherId, role, isOperator } = invitation;
    if (publisherId !== null) {
      await requirePublisher(db, publisherId);
      const member = await db
        .selectFrom("member")
        .innerJoin("user", "user.id", "member.user_id")
        .select("user.id")
        .where("publisher_id", "=", publisherId)
        .where("user.email", "=", email)
        .executeTakeFirst();
      if (member)
        throw new CatalogueRefusal([{ field: "email", message: "is a member of the team already" }]);
      // Whoever is invited again has one invitation, the last.
      await db
        .deleteFrom("sign_in_link")
        .where("kind", "=", "invitation")
        .where("email", "=", email)
        .where("publisher_id", "=", publisherId)
        .execute();
    }
    await tell({
      publisherId,
      subject: { kind: "user", id: email, name: email },
      action: "invited",
      before: null,
      after: publisherId === null ? { isOperator } : { role },
    });
    return insertLink(db, { ...invitation, kind: "invitation", email }, now);
  });
}

/** Makes a link by which somebody chooses a password, or, outside production, simply signs in. */
export function makeLinkFor(
  catalogue: CatalogueHandle,
  link: { kind: "password" | "sign_in"; email: string; madeBy: string },
  now: number,
): Promise<NewLink> {
  return catalogue.transact(async (db) => {
    const { email } = await requireUser(db, link.email);
    await db.deleteFrom("sign_in_link").where("kind", "=", link.kind).where("email", "=", email).execute();
    return insertLink(db, { ...link, email, isOperator: false }, now);
  });
}

/** What a link is for; null when it is unknown, used or over at `now`. */
export async function findLink(db: Kysely<Schema>, token: string, now: number): Promise<LinkFacts | null> {
  const link = await linkOf(db, token, now);
  if (link === null) return null;
  const user =
    link.email === null
      ? undefined
      : await db.selectFrom("user").select("id").where("email", "=", link.email).executeTakeFirst();
  const publisher = link.publisher_id === null ? null : await requirePublisher(db, link.publisher_id);
  return {
    kind: link.kind,
    email: link.email,
    hasAccount: user !== undefined,
    publisherName: publisher?.name ?? null,
    role: link.role,
    madeBy: link.made_by,
  };
}

/**
 * Uses a link up and begins a session, in one piece: its user exists from then on, with the password that they chose, in
 * the team that they were invited to. Throws UnknownSubject for a link that is unknown, used or over, or an invitation of
 * somebody who has an account and is not signed in to it, and a CatalogueRefusal for an address that is taken.
 */
export function redeemLink(
  catalogue: CatalogueHandle,
  given: {
    token: string;
    /** The address, where the link names none. */
    email: string | null;
    /** Null where the link asks for no password. */
    passwordHash: string | null;
    /** Who is signed in where the link is followed; null: nobody. */
    byUserId: number | null;
    session: { hash: string; agent: string };
  },
  now: number,
): Promise<{ userId: number }> {
  return changeCatalogue(catalogue, async (change) => {
    const { db } = change;
    const link = await linkOf(db, given.token, now);
    if (link === null) throw new UnknownSubject("link");
    await db.deleteFrom("sign_in_link").where("id", "=", link.id).execute();
    const { userId, email } = await userOf(change, link, given, now);
    if (link.publisher_id !== null && link.role !== null) {
      await putMember(db, { userId, publisherId: link.publisher_id, role: link.role }, now);
    }
    if (link.is_operator === 1) {
      await db.updateTable("user").set({ is_operator: 1 }).where("id", "=", userId).execute();
    }
    await beginSession(change, { userId, ...given.session }, now);
    if (link.kind !== "sign_in") {
      // The link was all that was known of them before, so it is their own doing.
      const by = { actor: { kind: "user" as const, userId, name: email }, at: now, version: change.version };
      const isJoining = link.kind !== "password";
      await noteActivity(db, by, {
        publisherId: link.publisher_id,
        subject: userSubject({ userId, email }),
        action: isJoining ? "joined" : "password_changed",
        before: null,
        after: isJoining ? { role: link.role, isOperator: link.is_operator === 1 } : { by: "a link" },
      });
    }
    return { userId };
  });
}

const userOf = async (
  change: CatalogueHandle,
  link: Selectable<SignInLinkTable>,
  given: { email: string | null; passwordHash: string | null; byUserId: number | null },
  now: number,
): Promise<{ userId: number; email: string }> => {
  const { db } = change;
  const email = addressOf(link.email ?? given.email ?? "");
  const user = await db
    .selectFrom("user")
    .select(["id", "disabled_at"])
    .where("email", "=", email)
    .executeTakeFirst();
  const { passwordHash } = given;
  if (user === undefined) {
    if (passwordHash === null) throw new UnknownSubject("link");
    const { userId } = await insertUser(db, { email, isOperator: link.is_operator === 1, passwordHash }, now);
    if (link.kind === "set_up") {
      // The first user runs the service and publishes by it; a publisher of their own saves a step.
      const { publisherId } = await createPublisher(change, { name: email.split("@")[1] ?? email }, { now });
      await putMember(db, { userId, publisherId, role: "owner" }, now);
    }
    return { userId, email };
  }
  if (user.disabled_at !== null) throw new UnknownSubject("link");
  // An account is its owner's, with or without a password, and may have come to be since the page was drawn: an
  // invitation, which whoever invites holds too, never opens it.
  if (link.kind === "invitation" && given.byUserId !== user.id) throw new UnknownSubject("link");
  if (passwordHash !== null && link.kind === "password") {
    await db.updateTable("user").set({ password_hash: passwordHash }).where("id", "=", user.id).execute();
    await endSessionsWithin(db, { userId: user.id, butSessionId: null });
  }
  return { userId: user.id, email };
};

/** The invitations of a publisher that nobody has followed yet, the newest first. */
export async function listInvitations(
  db: Kysely<Schema>,
  publisherId: string,
  now: number,
): Promise<ListedInvitation[]> {
  const rows = await db
    .selectFrom("sign_in_link")
    .selectAll()
    .where("kind", "=", "invitation")
    .where("publisher_id", "=", publisherId)
    .where("expires_at", ">", now)
    .orderBy("id", "desc")
    .execute();
  return rows.flatMap(({ id, email, role, made_by, created_at, expires_at }) =>
    email === null || role === null
      ? []
      : [{ invitationId: id, email, role, madeBy: made_by, createdAt: created_at, expiresAt: expires_at }],
  );
}

/** Takes an invitation back. Throws UnknownSubject when the publisher has none of this number. */
export function withdrawInvitation(
  catalogue: CatalogueHandle,
  invitation: { publisherId: string; invitationId: number },
): Promise<void> {
  return changeCatalogue(catalogue, async ({ db, tell }) => {
    const gone = await db
      .deleteFrom("sign_in_link")
      .where("id", "=", invitation.invitationId)
      .where("publisher_id", "=", invitation.publisherId)
      .where("kind", "=", "invitation")
      .returning(["email", "role"])
      .executeTakeFirst();
    if (gone === undefined) throw new UnknownSubject("invitation");
    const email = gone.email ?? "";
    await tell({
      publisherId: invitation.publisherId,
      subject: { kind: "user", id: email, name: email },
      action: "withdrawn",
      before: { role: gone.role },
      after: null,
    });
  });
}

const linkOf = async (
  db: Kysely<Schema>,
  token: string,
  now: number,
): Promise<Selectable<SignInLinkTable> | null> => {
  const hash = tokenHash(token);
  if (hash === null) return null;
  const row = await db.selectFrom("sign_in_link").selectAll().where("hash", "=", hash).executeTakeFirst();
  if (row === undefined || row.expires_at <= now) return null;
  // Who is the first is settled once there is anybody, whichever way they came.
  return row.kind === "set_up" && (await hasUsers(db)) ? null : row;
};

const insertLink = async (
  db: Kysely<Schema>,
  link: {
    kind: LinkKind;
    email: string | null;
    publisherId?: string | null;
    role?: Role | null;
    isOperator: boolean;
    madeBy: string;
  },
  now: number,
): Promise<NewLink> => {
  const token = randomBytes(tokenBytes).toString("base64url");
  const hash = tokenHash(token);
  if (hash === null) throw new TypeError("a token of its own form was made");
  const expiresAt = now + linkMs[link.kind];
  await db
    .insertInto("sign_in_link")
    .values({
      hash,
      kind: link.kind,
      email: link.email,
      publisher_id: link.publisherId ?? null,
      role: link.role ?? null,
      is_operator: link.isOperator ? 1 : 0,
      made_by: link.madeBy,
      created_at: now,
      expires_at: expiresAt,
    })
    .execute();
  return { token, expiresAt };
};
