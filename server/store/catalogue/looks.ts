import type { Kysely } from "kysely";
import { hourMs } from "../../core/utc-day.ts";
import type { Schema } from "../schema.ts";
import { changeCatalogue } from "./catalogue-change.ts";
import type { CatalogueHandle } from "./catalogue-handle.ts";
import { requirePublisher } from "./publishers.ts";

/**
 * Tells a publisher, in its activity, that an operator looks at its pages as its team does: once for each operator and hour
 * (by `now`, milliseconds since the epoch), so that most calls write nothing.
 */
export async function noteLook(catalogue: CatalogueHandle, publisherId: string, now: number): Promise<void> {
  const { actor } = catalogue;
  if (actor.kind !== "user") throw new TypeError("only somebody who is signed in looks");
  const look = { publisherId, userId: actor.userId, since: now - (now % hourMs) };
  if (await isNoted(catalogue.db, look)) return;
  await changeCatalogue(catalogue, async ({ db, tell }) => {
    // A page makes several calls at once; of those that come this far the first one notes it.
    if (await isNoted(db, look)) return;
    const { name } = await requirePublisher(db, publisherId);
    const subject = { kind: "publisher" as const, id: publisherId, name };
    await tell({ publisherId, subject, action: "looked", before: null, after: { as: "its team" } });
  });
}

const isNoted = async (
  db: Kysely<Schema>,
  look: { publisherId: string; userId: number; since: number },
): Promise<boolean> => {
  const found = await db
    .selectFrom("activity")
    .select("id")
    .where("publisher_id", "=", look.publisherId)
    .where("actor_kind", "=", "user")
    .where("actor_id", "=", String(look.userId))
    .where("action", "=", "looked")
    .where("at", ">=", look.since)
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
};
