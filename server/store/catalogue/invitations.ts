import type { Role } from "@offers/contract/words";
import type { Kysely } from "kysely";
import type { Schema } from "../schema.ts";
import { changeCatalogue } from "./catalogue-change.ts";
import type { CatalogueHandle } from "./catalogue-handle.ts";
import { CatalogueRefusal, UnknownSubject } from "./catalogue-refusal.ts";
import { findLetIn } from "./let-in.ts";
import { requirePublisher } from "./publishers.ts";
import { endOperatorInvitations, insertLink, type NewLink, refuseShutOut } from "./sign-in-links.ts";
import { addressOf } from "./users.ts";

export type ListedInvitation = {
  invitationId: number;
  email: string;
  role: Role;
  madeBy: string;
  createdAt: number;
  expiresAt: number;
};

/**
 * Invites an address to a publisher's team, or, without one, as an operator. Throws a CatalogueRefusal for somebody who
 * is there already, an unknown publisher or a bad address, and for somebody who is shut out, which an owner is not to find
 * out: theirs is a link like any other (decisions.md#shut-out-is-the-operators).
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
  return changeCatalogue(catalogue, async (tx) => {
    const { db, tell } = tx;
    const email = addressOf(invitation.email);
    const user = await db
      .selectFrom("user")
      .select("disabled_at")
      .where("email", "=", email)
      .executeTakeFirst();
    if (user !== undefined && (await isOperators(tx))) refuseShutOut(user);
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
    }
    // Whoever is invited again to the same has one invitation, the last.
    if (isOperator) await endOperatorInvitations(db, email);
    await db
      .deleteFrom("sign_in_link")
      .where("kind", "=", "invitation")
      .where("email", "=", email)
      .where("publisher_id", publisherId === null ? "is" : "=", publisherId)
      .execute();
    await tell({
      publisherId,
      subject: { kind: "user", id: email, name: email },
      action: "invited",
      before: null,
      after: whatItGives({ role, isOperator }),
    });
    return insertLink(tx, { ...invitation, kind: "invitation", email }, now);
  });
}

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

/** An invitation that nobody has followed yet: to a team, to operate the service, or both. */
export type PendingInvitation = {
  email: string;
  publisherId: string | null;
  publisherName: string | null;
  /** In that team. */
  role: Role | null;
  isOperator: boolean;
  madeBy: string;
  createdAt: number;
  expiresAt: number;
};

/** All invitations that nobody has followed yet, whoever made them, the newest first. */
export async function listPendingInvitations(db: Kysely<Schema>, now: number): Promise<PendingInvitation[]> {
  const rows = await db
    .selectFrom("sign_in_link")
    .leftJoin("publisher", "publisher.id", "sign_in_link.publisher_id")
    .select(["email", "publisher_id", "publisher.name", "role", "is_operator", "made_by"])
    .select(["sign_in_link.created_at", "expires_at"])
    .where("kind", "=", "invitation")
    .where("expires_at", ">", now)
    .orderBy("sign_in_link.id", "desc")
    .execute();
  return rows.map((row) => ({
    email: row.email ?? "",
    publisherId: row.publisher_id,
    publisherName: row.name,
    role: row.role,
    isOperator: row.is_operator === 1,
    madeBy: row.made_by,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  }));
}

/**
 * Takes back all invitations of an address that nobody has followed at `now`, into whichever team and to operate the service.
 * Throws a CatalogueRefusal when there is none.
 */
export function withdrawInvitationsOf(
  catalogue: CatalogueHandle,
  given: { email: string },
  now: number,
): Promise<{ email: string; withdrawn: number }> {
  return changeCatalogue(catalogue, async ({ db, tell }) => {
    const email = addressOf(given.email);
    const gone = await db
      .deleteFrom("sign_in_link")
      .where("kind", "=", "invitation")
      .where("email", "=", email)
      .where("expires_at", ">", now)
      .returning(["publisher_id", "role", "is_operator"])
      .execute();
    if (gone.length === 0) {
      const message = `nobody with the address ${JSON.stringify(email)} has an invitation`;
      throw new CatalogueRefusal([{ field: "email", message }]);
    }
    for (const { publisher_id, role, is_operator } of gone) {
      await tell({
        publisherId: publisher_id,
        subject: { kind: "user", id: email, name: email },
        action: "withdrawn",
        before: whatItGives({ role, isOperator: is_operator === 1 }),
        after: null,
      });
    }
    return { email, withdrawn: gone.length };
  });
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
      .returning(["email", "role", "is_operator"])
      .executeTakeFirst();
    if (gone === undefined) throw new UnknownSubject("invitation");
    const email = gone.email ?? "";
    await tell({
      publisherId: invitation.publisherId,
      subject: { kind: "user", id: email, name: email },
      action: "withdrawn",
      before: whatItGives({ role: gone.role, isOperator: gone.is_operator === 1 }),
      after: null,
    });
  });
}

/** What Activity tells of an invitation: the role in the team, that it is to operate the service, or both. */
const whatItGives = ({ role, isOperator }: { role: Role | null; isOperator: boolean }) => ({
  ...(role !== null && { role }),
  ...(isOperator && { isOperator }),
});

/** Whether somebody at the command line makes a change, or an operator who is signed in. */
const isOperators = async ({ db, actor }: CatalogueHandle): Promise<boolean> =>
  actor.kind !== "user" || (await findLetIn(db, actor.userId))?.isOperator === true;
