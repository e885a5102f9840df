import type { Kysely } from "kysely";
import type { Schema } from "../schema.ts";
import { forgetPerson } from "./activity.ts";
import { forgetMaker } from "./api-keys.ts";
import { type CatalogueChange, changeCatalogue } from "./catalogue-change.ts";
import type { CatalogueHandle } from "./catalogue-handle.ts";
import { CatalogueRefusal } from "./catalogue-refusal.ts";
import { forgetInvited } from "./forget-invited.ts";
import { endGrant, grantsAllowedBy } from "./oauth-grants.ts";
import { endSessionsWithin } from "./sessions.ts";
import { endLinksMadeBy, endOperatorInvitations } from "./sign-in-links.ts";
import { requireUser, userSubject } from "./users.ts";

/** What a password is compared with. */
export type SignInFacts = { userId: number; passwordHash: string | null; isDisabled: boolean };

/** What is needed to judge a sign-in under an address; null when nobody has it. */
export async function findForSignIn(db: Kysely<Schema>, email: string): Promise<SignInFacts | null> {
  const row = await db
    .selectFrom("user")
    .select(["id", "password_hash", "disabled_at"])
    .where("email", "=", email.trim().toLowerCase())
    .executeTakeFirst();
  return row
    ? { userId: row.id, passwordHash: row.password_hash, isDisabled: row.disabled_at !== null }
    : null;
}

/**
 * Gives somebody a new password in place of the one that was checked, and ends all their sessions but the one that asks, the
 * links that sign in as them, and those that they have made for others. False, and nothing is changed, where that password is
 * theirs no more or the session has ended: to check and to hash passwords takes its time, within which its owner can have taken
 * the account back.
 */
export function setPassword(
  catalogue: CatalogueHandle,
  change: { userId: number; checkedHash: string; passwordHash: string; sessionId: number },
): Promise<boolean> {
  return changeCatalogue(catalogue, async ({ db, tell }) => {
    const { userId, sessionId } = change;
    const changed = await db
      .updateTable("user")
      .set({ password_hash: change.passwordHash })
      .where("id", "=", userId)
      .where("password_hash", "=", change.checkedHash)
      .where(({ exists, selectFrom }) =>
        exists(selectFrom("session").select("id").where("id", "=", sessionId).where("user_id", "=", userId)),
      )
      .returning("email")
      .executeTakeFirst();
    if (changed === undefined) return false;
    const { email } = changed;
    await endSessionsWithin(db, { userId, butSessionId: sessionId });
    await endOwnLinksWithin(db, email);
    // Whoever had the old one may have invited themselves.
    await endLinksMadeBy(db, { userId });
    await tell({
      publisherId: null,
      subject: userSubject({ userId, email }),
      action: "password_changed",
      before: null,
      after: { by: "the password of before" },
    });
    return true;
  });
}

/** Shuts somebody out at `now`, at once and everywhere, partners and links to others included that they have made, or lets them in again. Throws a CatalogueRefusal for an unknown one. */
export function setUserDisabled(
  catalogue: CatalogueHandle,
  change: { email: string; isDisabled: boolean },
  now: number,
): Promise<{ userId: number; email: string }> {
  return changeCatalogue(catalogue, async (tx) => {
    const { db, tell } = tx;
    const user = await requireUser(db, change.email);
    if (change.isDisabled) await shutOut(tx, user, now);
    await db
      .updateTable("user")
      .set({ disabled_at: change.isDisabled ? now : null })
      .where("id", "=", user.id)
      .execute();
    await tell({
      publisherId: null,
      subject: userSubject({ userId: user.id, email: user.email }),
      action: change.isDisabled ? "disabled" : "enabled",
      before: { isDisabled: user.disabled_at !== null },
      after: { isDisabled: change.isDisabled },
    });
    return { userId: user.id, email: user.email };
  });
}

/**
 * Deletes somebody at `now`, as who is shut out for good, and their name and address wherever they are kept: what they have
 * changed stays, by a number alone (decisions.md#people-forgotten). Somebody who was invited and never came has no number, and
 * is forgotten as well. Throws a CatalogueRefusal for an unknown one and for the last operator.
 */
export function removeUser(
  catalogue: CatalogueHandle,
  { email }: { email: string },
  now: number,
): Promise<{ userId: number | null }> {
  return changeCatalogue(catalogue, async (tx) => {
    if (await forgetInvited(tx, email)) return { userId: null };
    const { db, tell } = tx;
    const user = await requireUser(db, email);
    const userId = user.id;
    await shutOut(tx, user, now);
    await db.deleteFrom("sign_in_link").where("email", "=", user.email).execute();
    await db.deleteFrom("member").where("user_id", "=", userId).execute();
    await db.deleteFrom("user").where("id", "=", userId).execute();
    const standIn = `removed user ${userId}`;
    // First, while Activity knows what they were called.
    await forgetMaker(db, { userId, standIn, names: [user.name, user.email] });
    await forgetPerson(db, { userId, email: user.email, standIn });
    await tell({
      publisherId: null,
      subject: userSubject({ userId, email: standIn }),
      action: "removed",
      before: { isOperator: user.is_operator === 1 },
      after: null,
    });
    return { userId };
  });
}

/** Ends all by which somebody, or whoever had their account, could go on. */
const shutOut = async (
  tx: CatalogueChange,
  user: { id: number; email: string; is_operator: number },
  now: number,
): Promise<void> => {
  const { db } = tx;
  await refuseLastOperator(db, user);
  // Whoever had their account may have connected a partner by it.
  for (const grantId of await grantsAllowedBy(db, user.id)) await endGrant(tx, { grantId, at: now });
  await endSessionsWithin(db, { userId: user.id, butSessionId: null });
  await endOwnLinksWithin(db, user.email);
  // The places in teams stay: their owners see them, and are not to find out (decisions.md#shut-out-is-the-operators).
  await endOperatorInvitations(db, user.email);
  await endLinksMadeBy(db, { userId: user.id });
};

/** Makes somebody an operator of the service, or takes it back. Throws a CatalogueRefusal when nobody would be left who is. */
export function setUserOperator(
  catalogue: CatalogueHandle,
  change: { email: string; isOperator: boolean },
): Promise<{ email: string }> {
  return changeCatalogue(catalogue, async ({ db, tell }) => {
    const user = await requireUser(db, change.email);
    if (!change.isOperator) {
      await refuseLastOperator(db, user);
      await endLinksMadeBy(db, { userId: user.id });
      await endOperatorInvitations(db, user.email);
    }
    await db
      .updateTable("user")
      .set({ is_operator: change.isOperator ? 1 : 0 })
      .where("id", "=", user.id)
      .execute();
    await tell({
      publisherId: null,
      subject: userSubject({ userId: user.id, email: user.email }),
      action: "updated",
      before: { isOperator: user.is_operator === 1 },
      after: { isOperator: change.isOperator },
    });
    return { email: user.email };
  });
}

/** Ends the links that let whoever has them in as somebody; an invitation opens no account. */
const endOwnLinksWithin = async (db: Kysely<Schema>, email: string): Promise<void> => {
  await db
    .deleteFrom("sign_in_link")
    .where("kind", "in", ["password", "sign_in"])
    .where("email", "=", email)
    .execute();
};

const refuseLastOperator = async (
  db: Kysely<Schema>,
  user: { id: number; is_operator: number },
): Promise<void> => {
  const operators = await db
    .selectFrom("user")
    .select("id")
    .where("is_operator", "=", 1)
    .where("disabled_at", "is", null)
    .where("id", "!=", user.id)
    .execute();
  if (user.is_operator === 1 && operators.length === 0) {
    throw new CatalogueRefusal([
      { field: "email", message: "is the last operator's: make somebody else one first" },
    ]);
  }
};
