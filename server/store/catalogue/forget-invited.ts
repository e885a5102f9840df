import type { CatalogueChange } from "./catalogue-change.ts";
import { addressOf } from "./users.ts";

/** Stands where the address of somebody stood who was invited and never came. */
const standIn = "removed invitation";

/**
 * Takes back all invitations of an address that has no account, and its text wherever it is kept; false, and nothing is changed,
 * where it has an account or nothing is known of it. Throws a CatalogueRefusal for a text that is no address.
 */
export async function forgetInvited({ db, tell }: CatalogueChange, text: string): Promise<boolean> {
  const email = addressOf(text);
  const user = await db.selectFrom("user").select("id").where("email", "=", email).executeTakeFirst();
  if (user !== undefined) return false;
  const links = await db.deleteFrom("sign_in_link").where("email", "=", email).returning("id").execute();
  // An invitation, made and withdrawn, is told of by its address: there is no number.
  const told = await db
    .updateTable("activity")
    .set({ subject_id: standIn, subject_name: standIn })
    .where("subject_kind", "=", "user")
    .where("subject_id", "=", email)
    .returning("id")
    .execute();
  if (links.length + told.length === 0) return false;
  await tell({
    publisherId: null,
    subject: { kind: "user", id: standIn, name: standIn },
    action: "removed",
    before: { isInvited: links.length > 0 },
    after: null,
  });
  return true;
}
