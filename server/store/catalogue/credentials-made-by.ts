import type { Kysely } from "kysely";
import type { Schema } from "../schema.ts";
import { isKeyMadeBy } from "./api-keys.ts";

/** What a publisher's servers go on with, whatever becomes of the account that made it. */
export type MadeCredentials = {
  keys: { keyId: string; publisherId: string }[];
  secrets: { secretId: string; websiteKey: string }[];
};

/**
 * The API keys and integration secrets of somebody's making that are good at `now`, the oldest first. Who made a secret, Activity
 * alone knows, and forgets it.
 */
export async function liveCredentialsMadeBy(
  db: Kysely<Schema>,
  userId: number,
  now: number,
): Promise<MadeCredentials> {
  const keys = await db
    .selectFrom("api_key")
    .select(["id as keyId", "publisher_id as publisherId"])
    .where(isKeyMadeBy(userId))
    .where("revoked_at", "is", null)
    .where(({ eb, or }) => or([eb("expires_at", "is", null), eb("expires_at", ">", now)]))
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  const told = await db
    .selectFrom("activity")
    .select("after_json")
    .where("actor_kind", "=", "user")
    .where("actor_id", "=", String(userId))
    .where("action", "=", "secret_created")
    .execute();
  const made = told.map(({ after_json }) => String(JSON.parse(after_json ?? "{}").secretId));
  if (made.length === 0) return { keys, secrets: [] };
  const secrets = await db
    .selectFrom("integration_secret")
    .innerJoin("website", "website.id", "integration_secret.website_id")
    .select(["integration_secret.id as secretId", "website.key as websiteKey"])
    .where("integration_secret.id", "in", made)
    .where("revoked_at", "is", null)
    .orderBy("integration_secret.created_at")
    .orderBy("integration_secret.id")
    .execute();
  return { keys, secrets };
}
