import { email as emailAddress, personName } from "@offers/contract/dash/accounts";
import type { Role, Theme } from "@offers/contract/words";
import type { Kysely } from "kysely";
import type { Schema } from "../schema.ts";
import { changeCatalogue } from "./catalogue-change.ts";
import type { CatalogueHandle } from "./catalogue-handle.ts";
import { CatalogueRefusal, UnknownSubject } from "./catalogue-refusal.ts";

/** Somebody who may sign in; times in milliseconds since the epoch. */
export type ListedUser = {
  userId: number;
  email: string;
  name: string;
  isOperator: boolean;
  hasPassword: boolean;
  createdAt: number;
  disabledAt: number | null;
  /** When a session that they still have was last used; null: they have none. Sessions that are over are not kept. */
  lastSeenAt: number | null;
  memberships: { publisherId: string; name: string; role: Role }[];
};

/** Saves somebody without a password at `now`. Throws a CatalogueRefusal for an address that is taken or none. */
export function createUser(
  catalogue: CatalogueHandle,
  input: { email: string; name?: string | undefined; isOperator: boolean },
  now: number,
): Promise<{ userId: number; email: string }> {
  return changeCatalogue(catalogue, async (change) => {
    const user = await insertUser(change.db, input, now);
    await change.tell({
      publisherId: null,
      subject: userSubject(user),
      action: "created",
      before: null,
      after: { email: user.email, isOperator: input.isOperator },
    });
    return user;
  });
}

/** What Activity knows somebody by. */
export function userSubject({ userId, email }: { userId: number; email: string }) {
  return { kind: "user" as const, id: String(userId), name: email };
}

/** The same within a change that tells it. */
export async function insertUser(
  db: Kysely<Schema>,
  input: { email: string; name?: string | undefined; isOperator: boolean; passwordHash?: string },
  now: number,
): Promise<{ userId: number; email: string }> {
  const email = addressOf(input.email);
  const name = personName.safeParse(input.name ?? email.split("@")[0]);
  if (!name.success) throw refusal("name", name.error.issues[0]?.message ?? "must be a name");
  const taken = await db.selectFrom("user").select("id").where("email", "=", email).executeTakeFirst();
  if (taken) throw refusal("email", "is somebody's already");
  const { id } = await db
    .insertInto("user")
    .values({
      email,
      name: name.data,
      password_hash: input.passwordHash ?? null,
      is_operator: input.isOperator ? 1 : 0,
      created_at: now,
      disabled_at: null,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return { userId: id, email };
}

/** What somebody may change of their own account. */
export async function updateOwnSettings(
  catalogue: CatalogueHandle,
  userId: number,
  patch: { name?: string | undefined; theme?: Theme | undefined },
): Promise<void> {
  await catalogue.transact((db) =>
    db
      .updateTable("user")
      .set({
        ...(patch.name !== undefined && { name: patch.name }),
        ...(patch.theme !== undefined && { theme: patch.theme }),
        // Kysely wants one assignment at the least.
        id: userId,
      })
      .where("id", "=", userId)
      .execute(),
  );
}

/** The address of somebody by their number; throws UnknownSubject when there is nobody. */
export async function emailOfUser(db: Kysely<Schema>, userId: number): Promise<string> {
  const row = await db.selectFrom("user").select("email").where("id", "=", userId).executeTakeFirst();
  if (row === undefined) throw new UnknownSubject("user");
  return row.email;
}

/** Everybody, in the order of their coming. */
export async function listUsers(db: Kysely<Schema>): Promise<ListedUser[]> {
  const members = await db
    .selectFrom("member")
    .innerJoin("publisher", "publisher.id", "member.publisher_id")
    .select(["member.user_id", "member.role", "publisher.id", "publisher.name"])
    .execute();
  const ofUser = Map.groupBy(members, ({ user_id }) => user_id);
  const rows = await db
    .selectFrom("user")
    .selectAll("user")
    .select((eb) =>
      eb
        .selectFrom("session")
        .whereRef("session.user_id", "=", "user.id")
        .select((seen) => seen.fn.max("seen_at").as("at"))
        .as("last_seen_at"),
    )
    .orderBy("id")
    .execute();
  return rows.map((row) => ({
    userId: row.id,
    email: row.email,
    name: row.name,
    isOperator: row.is_operator === 1,
    hasPassword: row.password_hash !== null,
    createdAt: row.created_at,
    disabledAt: row.disabled_at,
    lastSeenAt: row.last_seen_at,
    memberships: (ofUser.get(row.id) ?? []).map(({ id, name, role }) => ({ publisherId: id, name, role })),
  }));
}

/** Whether anybody can sign in, or could once they have chosen a password. */
export async function hasUsers(db: Kysely<Schema>): Promise<boolean> {
  return (await db.selectFrom("user").select("id").limit(1).executeTakeFirst()) !== undefined;
}

/** An address in the form in which it is kept; throws a CatalogueRefusal for a text that is none. */
export function addressOf(text: string): string {
  const parsed = emailAddress.safeParse(text);
  if (parsed.success) return parsed.data;
  throw refusal("email", parsed.error.issues[0]?.message ?? "must be an e-mail address");
}

/** Throws a CatalogueRefusal when nobody has the address; of one that is invited it says how that is taken back. */
export async function requireUser(db: Kysely<Schema>, given: string) {
  const email = addressOf(given);
  const row = await db.selectFrom("user").selectAll().where("email", "=", email).executeTakeFirst();
  if (row) return row;
  const invitation = await db
    .selectFrom("sign_in_link")
    .select("id")
    .where("kind", "=", "invitation")
    .where("email", "=", email)
    .limit(1)
    .executeTakeFirst();
  const hint = invitation ? " (an invitation is taken back by user withdraw)" : "";
  throw refusal("email", `nobody has the address ${JSON.stringify(email)}${hint}`);
}

const refusal = (field: string, message: string) => new CatalogueRefusal([{ field, message }]);
