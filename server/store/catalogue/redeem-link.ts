import type { Selectable } from "kysely";
import type { SignInLinkTable } from "../schema.ts";
import { byLinkOf, noteActivity } from "./activity.ts";
import { changeCatalogue } from "./catalogue-change.ts";
import type { CatalogueHandle } from "./catalogue-handle.ts";
import { UnknownSubject } from "./catalogue-refusal.ts";
import { createPublisher } from "./publishers.ts";
import { beginSession, endSessionsWithin } from "./sessions.ts";
import { endLinksMadeBy, linkOf } from "./sign-in-links.ts";
import { putMember } from "./team-members.ts";
import { addressOf, insertUser, userSubject } from "./users.ts";

/**
 * Uses a link up and begins a session, in one piece: its user exists from then on, with the password that they chose, in
 * the team that they were invited to. Who had an account already joins in the session that they have: they gave no password,
 * and the link may be another's making. Throws UnknownSubject for a link that is unknown, used or over, or an invitation of
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
): Promise<{ userId: number; hasBegun: boolean }> {
  return changeCatalogue(catalogue, async (change) => {
    const { db } = change;
    const link = await linkOf(db, given.token, now);
    if (link === null) throw new UnknownSubject("link");
    await db.deleteFrom("sign_in_link").where("id", "=", link.id).execute();
    const { userId, email, isNew } = await userOf(change, link, given, now);
    if (link.publisher_id !== null && link.role !== null) {
      await putMember(db, { userId, publisherId: link.publisher_id, role: link.role }, now);
    }
    if (link.is_operator === 1) {
      await db.updateTable("user").set({ is_operator: 1 }).where("id", "=", userId).execute();
    }
    const hasBegun = isNew || link.kind !== "invitation";
    if (hasBegun) await beginSession(change, { userId, ...given.session }, now);
    if (link.kind !== "sign_in") {
      // The link was all that was known of them before, so it is their own doing.
      const by = { actor: { kind: "user" as const, userId, name: email }, at: now, version: change.version };
      const isJoining = link.kind !== "password";
      await noteActivity(db, by, {
        publisherId: link.publisher_id,
        subject: userSubject({ userId, email }),
        action: isJoining ? "joined" : "password_changed",
        before: null,
        after: isJoining ? { role: link.role, isOperator: link.is_operator === 1 } : byLinkOf(link.made_by),
      });
    }
    return { userId, hasBegun };
  });
}

const userOf = async (
  change: CatalogueHandle,
  link: Selectable<SignInLinkTable>,
  given: { email: string | null; passwordHash: string | null; byUserId: number | null },
  now: number,
): Promise<{ userId: number; email: string; isNew: boolean }> => {
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
    return { userId, email, isNew: true };
  }
  if (user.disabled_at !== null) throw new UnknownSubject("link");
  // An account is its owner's, with or without a password, and may have come to be since the page was drawn: an
  // invitation, which whoever invites holds too, never opens it.
  if (link.kind === "invitation" && given.byUserId !== user.id) throw new UnknownSubject("link");
  if (passwordHash !== null && link.kind === "password") {
    await db.updateTable("user").set({ password_hash: passwordHash }).where("id", "=", user.id).execute();
    await endSessionsWithin(db, { userId: user.id, butSessionId: null });
    // Whoever had the old one may have invited themselves.
    await endLinksMadeBy(db, { userId: user.id });
  }
  return { userId: user.id, email, isNew: false };
};
