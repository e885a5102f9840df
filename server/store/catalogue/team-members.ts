import type { Role } from "@offers/contract/words";
import type { Kysely } from "kysely";
import type { Schema } from "../schema.ts";
import { changeCatalogue } from "./catalogue-change.ts";
import type { CatalogueHandle } from "./catalogue-handle.ts";
import { CatalogueRefusal, UnknownSubject } from "./catalogue-refusal.ts";
import { endLinksMadeBy } from "./sign-in-links.ts";
import { userSubject } from "./users.ts";

/** Somebody in a publisher's team; times in milliseconds since the epoch. */
export type TeamMember = {
  userId: number;
  email: string;
  name: string;
  role: Role;
  since: number;
  /** When a session that they still have was last used; null: they have none. Sessions that are over are not kept. */
  lastSeenAt: number | null;
  disabledAt: number | null;
};

/** A publisher's team, in the order of their coming. */
export async function listTeam(db: Kysely<Schema>, publisherId: string): Promise<TeamMember[]> {
  const rows = await db
    .selectFrom("member")
    .innerJoin("user", "user.id", "member.user_id")
    .select(["user.id", "user.email", "user.name", "user.disabled_at", "member.role", "member.created_at"])
    .select((eb) =>
      eb
        .selectFrom("session")
        .whereRef("session.user_id", "=", "user.id")
        .select((seen) => seen.fn.max("seen_at").as("at"))
        .as("last_seen_at"),
    )
    .where("member.publisher_id", "=", publisherId)
    .orderBy("member.created_at")
    .orderBy("user.id")
    .execute();
  return rows.map((row) => ({
    userId: row.id,
    email: row.email,
    name: row.name,
    role: row.role,
    since: row.created_at,
    lastSeenAt: row.last_seen_at,
    disabledAt: row.disabled_at,
  }));
}

/** Takes somebody into a publisher's team, or gives them another role there. */
export async function putMember(
  db: Kysely<Schema>,
  member: { userId: number; publisherId: string; role: Role },
  now: number,
): Promise<void> {
  const { userId, publisherId, role } = member;
  await db
    .insertInto("member")
    .values({ user_id: userId, publisher_id: publisherId, role, created_at: now })
    .onConflict((conflict) => conflict.columns(["user_id", "publisher_id"]).doUpdateSet({ role }))
    .execute();
}

/**
 * Gives a member another role; null takes them out of the team. Throws UnknownSubject for who is none, and a
 * CatalogueRefusal when nobody would be left who owns it.
 */
export function changeMember(
  catalogue: CatalogueHandle,
  change: { publisherId: string; userId: number; role: Role | null },
): Promise<void> {
  return changeCatalogue(catalogue, async ({ db, tell }) => {
    const { publisherId, userId, role } = change;
    const members = await db
      .selectFrom("member")
      .innerJoin("user", "user.id", "member.user_id")
      .select(["user_id", "role", "user.email", "user.disabled_at"])
      .where("publisher_id", "=", publisherId)
      .execute();
    const member = members.find(({ user_id }) => user_id === userId);
    if (member === undefined) throw new UnknownSubject("user");
    const owners = members.filter(
      (other) => other.role === "owner" && other.disabled_at === null && other.user_id !== userId,
    );
    if (role !== "owner" && owners.length === 0) {
      throw new CatalogueRefusal([
        { field: "role", message: "is the last owner's: make somebody else an owner first" },
      ]);
    }
    const ofMember = db.deleteFrom("member").where("publisher_id", "=", publisherId);
    // By one of them they could come back as what they were.
    if (role !== "owner") await endLinksMadeBy(db, { userId, publisherId });
    if (role === null) await ofMember.where("user_id", "=", userId).execute();
    else {
      await db
        .updateTable("member")
        .set({ role })
        .where("publisher_id", "=", publisherId)
        .where("user_id", "=", userId)
        .execute();
    }
    await tell({
      publisherId,
      subject: userSubject({ userId, email: member.email }),
      action: role === null ? "removed" : "updated",
      before: { role: member.role },
      after: role === null ? null : { role },
    });
  });
}
