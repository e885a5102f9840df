import type { ConsentAnswer } from "../../core/oauth.ts";
import type { CatalogueHandle } from "./catalogue-handle.ts";
import { createGrant } from "./oauth-grants.ts";

/**
 * Keeps a person's answer to a partner's question and the connection that it makes, in one transaction. False: it was
 * answered before, or is none, and nothing is kept. Of several answers at once, one alone hears true.
 */
export function answerConsent(
  catalogue: CatalogueHandle,
  { model, idHash, result, grant, at }: ConsentAnswer,
): Promise<boolean> {
  return catalogue.transact(async (db) => {
    const used = await db
      .updateTable("oauth_row")
      .set({ consumed_at: at })
      .where("model", "=", model)
      .where("id_hash", "=", idHash)
      .where("consumed_at", "is", null)
      .returning("payload_json")
      .executeTakeFirst();
    if (used === undefined) return false;
    await db
      .updateTable("oauth_row")
      .set({ payload_json: JSON.stringify({ ...JSON.parse(used.payload_json), result }) })
      .where("model", "=", model)
      .where("id_hash", "=", idHash)
      .execute();
    if (grant !== null) await createGrant({ ...catalogue, db, transact: (work) => work(db) }, grant);
    return true;
  });
}
