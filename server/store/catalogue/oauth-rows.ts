import { oauthLifetimes } from "@offers/contract/oauth";
import type { OauthRow } from "../../core/oauth.ts";
import type { CatalogueHandle } from "./catalogue-handle.ts";

/** Which row: what it is, and the hash of what its holder presents. */
export type OauthRowKey = { model: string; idHash: string };

/** A row that has not expired at `now`, used or not; null: there is none. */
export async function findOauthRow(
  { db }: CatalogueHandle,
  { model, idHash, now }: OauthRowKey & { now: number },
): Promise<OauthRow | null> {
  const row = await db
    .selectFrom("oauth_row")
    .selectAll()
    .where("model", "=", model)
    .where("id_hash", "=", idHash)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    model: row.model,
    idHash: row.id_hash,
    payload: JSON.parse(row.payload_json),
    grantId: row.grant_id,
    expiresAt: row.expires_at,
    consumedAt: row.consumed_at,
  };
}

/** So many consents may wait at once: anybody can ask for one, without a sign-in (decisions.md#waiting-consents). */
export const mostInteractions = 10_000;

class TooManyWait extends Error {}

/**
 * Writes a row, or what has changed of it; that it was used stays. No new version of the catalogue: nobody holds a copy. False:
 * it is a consent, and so many wait that nothing was written.
 */
export async function saveOauthRow(
  catalogue: CatalogueHandle,
  row: Omit<OauthRow, "consumedAt">,
): Promise<boolean> {
  const content = {
    payload_json: JSON.stringify(row.payload),
    grant_id: row.grantId,
    expires_at: row.expiresAt,
  };
  try {
    await catalogue.transact(async (db) => {
      await db
        .insertInto("oauth_row")
        .values({ model: row.model, id_hash: row.idHash, ...content, consumed_at: null })
        .onConflict((conflict) => conflict.columns(["model", "id_hash"]).doUpdateSet(content))
        .execute();
      // After the row, since a transaction of SQLite that starts with a read cannot write once another process has.
      if (row.model === "Interaction" && (await countInteractions(db)) > mostInteractions)
        throw new TooManyWait();
    });
    return true;
  } catch (error) {
    if (error instanceof TooManyWait) return false;
    throw error;
  }
}

/** By their key alone, which an index has: those that have expired count until they are deleted, a minute later. */
const countInteractions = async (db: CatalogueHandle["db"]): Promise<number> => {
  const { count } = await db
    .selectFrom("oauth_row")
    .select((eb) => eb.fn.countAll().as("count"))
    .where("model", "=", "Interaction")
    .executeTakeFirstOrThrow();
  return Number(count);
};

/**
 * Marks a row as used at `at`; false: it was used before, or is none. Of several at once, one alone hears true. A code is kept
 * from then on for as long as its connection may last, and not for its minute: whoever comes with it again ends that.
 */
export function consumeOauthRow(
  catalogue: CatalogueHandle,
  { model, idHash, at }: OauthRowKey & { at: number },
): Promise<boolean> {
  return catalogue.transact(async (db) => {
    const changed = await db
      .updateTable("oauth_row")
      .set({
        consumed_at: at,
        ...(model === "AuthorizationCode" && { expires_at: at + oauthLifetimes.connectionSeconds * 1000 }),
      })
      .where("model", "=", model)
      .where("id_hash", "=", idHash)
      .where("consumed_at", "is", null)
      .returning("id_hash")
      .executeTakeFirst();
    return changed !== undefined;
  });
}

/** Deletes a row; one that is none stays none. */
export async function removeOauthRow(
  catalogue: CatalogueHandle,
  { model, idHash }: OauthRowKey,
): Promise<void> {
  await catalogue.transact((db) =>
    db.deleteFrom("oauth_row").where("model", "=", model).where("id_hash", "=", idHash).execute(),
  );
}
