import type { Kysely } from "kysely";
import type { Schema } from "../schema.ts";

/** How somebody stands whose account lets them in; undefined: it is shut out, or gone. */
export async function findLetIn(
  db: Kysely<Schema>,
  userId: number,
): Promise<{ isOperator: boolean } | undefined> {
  const user = await db
    .selectFrom("user")
    .select("is_operator")
    .where("id", "=", userId)
    .where("disabled_at", "is", null)
    .executeTakeFirst();
  return user && { isOperator: user.is_operator === 1 };
}
