import type { CatalogueHandle } from "../store/catalogue/catalogue-handle.ts";
import { makeLinkFor } from "../store/catalogue/sign-in-links.ts";

/** Has no password, and comes in by a link that the terminal shows. Of the demo alone, and never in production. */
export const demoUser = { email: "demo@offers.example", name: "Demo" } as const;

/** Makes the demo's user a link that signs in, once; null where this data has no such user. */
export async function demoLink(catalogue: CatalogueHandle, now: number): Promise<string | null> {
  const { email } = demoUser;
  const user = await catalogue.db
    .selectFrom("user")
    .select("id")
    .where("email", "=", email)
    .where("disabled_at", "is", null)
    .executeTakeFirst();
  if (user === undefined) return null;
  return (await makeLinkFor(catalogue, { kind: "sign_in", email, madeBy: "the demo" }, now)).token;
}
