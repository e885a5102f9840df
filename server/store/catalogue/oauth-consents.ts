import type { ConsentAnswer, ConsentOutcome } from "../../core/oauth.ts";
import { oneAtATime } from "../dialects.ts";
import type { CatalogueHandle } from "./catalogue-handle.ts";
import { createGrant, mayConnect } from "./oauth-grants.ts";

/**
 * Keeps a person's answer to a partner's question and the connection that it makes, in one transaction, where that person
 * may connect the partner at this moment. Of several answers at once, one alone is kept.
 */
export function answerConsent(
  catalogue: CatalogueHandle,
  { model, idHash, result, grant, at }: ConsentAnswer,
): Promise<ConsentOutcome> {
  return catalogue.transact(async (db) => {
    if (grant !== null) {
      // Whoever takes a role or a partner away comes before this or after it, and ends what it has made.
      await oneAtATime(db);
      if (!(await mayConnect(db, grant))) return "not_allowed";
    }
    const used = await db
      .updateTable("oauth_row")
      .set({ consumed_at: at })
      .where("model", "=", model)
      .where("id_hash", "=", idHash)
      .where("consumed_at", "is", null)
      .returning("payload_json")
      .executeTakeFirst();
    if (used === undefined) return "not_asked";
    await db
      .updateTable("oauth_row")
      .set({ payload_json: JSON.stringify({ ...JSON.parse(used.payload_json), result }) })
      .where("model", "=", model)
      .where("id_hash", "=", idHash)
      .execute();
    if (grant !== null) await createGrant({ ...catalogue, db, transact: (work) => work(db) }, grant);
    return "kept";
  });
}
