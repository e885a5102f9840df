import { randomBytes } from "node:crypto";
import type { Role } from "@offers/contract/words";
import type { Kysely, Selectable } from "kysely";
import { type LinkKind, linkMs, tokenBytes, tokenHash } from "../../core/session-life.ts";
import { isPostgres, oneAtATime } from "../dialects.ts";
import type { Schema, SignInLinkTable } from "../schema.ts";
import { changeCatalogue } from "./catalogue-change.ts";
import type { CatalogueHandle } from "./catalogue-handle.ts";
import { CatalogueRefusal } from "./catalogue-refusal.ts";
import { findLetIn } from "./let-in.ts";
import { requirePublisher } from "./publishers.ts";
import { createUser, hasUsers, requireUser, userSubject } from "./users.ts";

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

/**
 * Makes the link for the first user of all, an operator, which is good until there is one. Null when there are users. It takes
 * the place of an earlier one, but for that of another node: whoever reads any node's output finds one that works.
 */
export function makeSetUpLink(catalogue: CatalogueHandle, now: number): Promise<NewLink | null> {
  return catalogue.transact(async (db) => {
    await oneAtATime(db);
    if (await hasUsers(db)) return null;
    if (!isPostgres(db)) await db.deleteFrom("sign_in_link").where("kind", "=", "set_up").execute();
    return insertLink(
      { ...catalogue, db },
      { kind: "set_up", email: null, isOperator: true, madeBy: "the service" },
      now,
    );
  });
}

/**
 * Saves somebody at `now`, with the link by which they choose a password: in one piece, for without it they could not be
 * saved again, and nobody would know why. Throws a CatalogueRefusal for an address that is taken or none.
 */
export function createUserWithLink(
  catalogue: CatalogueHandle,
  input: { email: string; name?: string | undefined; isOperator: boolean; madeBy: string },
  now: number,
): Promise<{ userId: number; email: string } & NewLink> {
  return changeCatalogue(catalogue, async (tx) => {
    const user = await createUser(tx, input, now);
    const link = { kind: "password" as const, email: user.email, madeBy: input.madeBy };
    return { ...user, ...(await makeLinkFor(tx, link, now)) };
  });
}

/**
 * Makes a link by which somebody chooses a password, or, outside production, simply signs in. The first is told: whoever has it
 * can take the account. Throws a CatalogueRefusal for an address that nobody has, and for a password of somebody who is shut
 * out.
 */
export function makeLinkFor(
  catalogue: CatalogueHandle,
  link: { kind: "password" | "sign_in"; email: string; madeBy: string },
  now: number,
): Promise<NewLink> {
  return changeCatalogue(catalogue, async (tx) => {
    const { db, tell } = tx;
    const user = await requireUser(db, link.email);
    if (link.kind === "password") refuseShutOut(user);
    const { id, email } = user;
    // Those that sign in are printed by each node that starts on the demo.
    if (link.kind === "password" || !isPostgres(db)) {
      await db.deleteFrom("sign_in_link").where("kind", "=", link.kind).where("email", "=", email).execute();
    }
    if (link.kind === "password") {
      await tell({
        publisherId: null,
        subject: userSubject({ userId: id, email }),
        action: "password_link_made",
        before: null,
        after: { by: link.madeBy },
      });
    }
    return insertLink(tx, { ...link, email, isOperator: false }, now);
  });
}

/** Throws a CatalogueRefusal for somebody who is shut out: a link would not let them in. */
export function refuseShutOut(user: { disabled_at: number | null }): void {
  if (user.disabled_at === null) return;
  const message = "is shut out by the operator, who has to let them in again first (user disable --undo)";
  throw new CatalogueRefusal([{ field: "email", message }]);
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

/** Ends the links that somebody has made for others, all of them or those into a publisher's team (decisions.md#links-end-with-their-maker). */
export async function endLinksMadeBy(
  db: Kysely<Schema>,
  { userId, publisherId }: { userId: number; publisherId?: string },
): Promise<void> {
  let query = db.deleteFrom("sign_in_link").where("made_by_user", "=", userId);
  if (publisherId !== undefined) query = query.where("publisher_id", "=", publisherId);
  await query.execute();
}

/**
 * Ends the invitations of an address to operate the service, whoever made them; one into a team as well stays, for the team alone
 * (decisions.md#one-invitation-to-operate).
 */
export async function endOperatorInvitations(db: Kysely<Schema>, email: string): Promise<void> {
  await db
    .deleteFrom("sign_in_link")
    .where("kind", "=", "invitation")
    .where("email", "=", email)
    .where("is_operator", "=", 1)
    .where("publisher_id", "is", null)
    .execute();
  await db
    .updateTable("sign_in_link")
    .set({ is_operator: 0 })
    .where("kind", "=", "invitation")
    .where("email", "=", email)
    .where("is_operator", "=", 1)
    .execute();
}

/** The row of a link that may be used at `now`; null: it is unknown, used or over, or its maker may not give any more what it gives. */
export async function linkOf(
  db: Kysely<Schema>,
  token: string,
  now: number,
): Promise<Selectable<SignInLinkTable> | null> {
  const hash = tokenHash(token);
  if (hash === null) return null;
  const row = await db.selectFrom("sign_in_link").selectAll().where("hash", "=", hash).executeTakeFirst();
  if (row === undefined || row.expires_at <= now) return null;
  // Who is the first is settled once there is anybody, whichever way they came.
  if (row.kind === "set_up" && (await hasUsers(db))) return null;
  return (await mayStillGive(db, row)) ? row : null;
}

/** Whether the maker of a link may give what it gives, as they stand now (decisions.md#links-end-with-their-maker). */
const mayStillGive = async (
  db: Kysely<Schema>,
  link: Pick<Selectable<SignInLinkTable>, "made_by_user" | "publisher_id">,
): Promise<boolean> => {
  // One by the service, or from its operator's terminal.
  if (link.made_by_user === null) return true;
  const maker = await findLetIn(db, link.made_by_user);
  if (maker === undefined || maker.isOperator || link.publisher_id === null)
    return maker?.isOperator === true;
  const owner = await db
    .selectFrom("member")
    .select("role")
    .where("user_id", "=", link.made_by_user)
    .where("publisher_id", "=", link.publisher_id)
    .where("role", "=", "owner")
    .executeTakeFirst();
  return owner !== undefined;
};

/** Keeps a new link of `actor`'s, of which the caller tells Activity. */
export async function insertLink(
  { db, actor }: Pick<CatalogueHandle, "db" | "actor">,
  link: {
    kind: LinkKind;
    email: string | null;
    publisherId?: string | null;
    role?: Role | null;
    isOperator: boolean;
    madeBy: string;
  },
  now: number,
): Promise<NewLink> {
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
      made_by_user: actor.kind === "user" ? actor.userId : null,
      created_at: now,
      expires_at: expiresAt,
    })
    .execute();
  return { token, expiresAt };
}
