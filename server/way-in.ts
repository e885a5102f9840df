import type { Desk } from "./desk/desk.ts";
import type { Store } from "./store/store.ts";

/**
 * What the terminal says of how the first of all signs in, or whoever looks at the demo, by a link; null: by the password that
 * they have. Rejects when the storage refuses to keep the link.
 * @param demoToken of the demo's user; null: there is none here.
 */
export async function wayIn(
  store: Pick<Store, "hasUsers">,
  desk: Pick<Desk, "ask">,
  { baseUrl, demoToken }: { baseUrl: string; demoToken: string | null },
): Promise<string | null> {
  const to = (token: string): string => `${baseUrl}/dash/link/${token}`;
  if (demoToken !== null) {
    return `Open the dashboard, signed in as the demo's user (once, within the hour): ${to(demoToken)}`;
  }
  if (await store.hasUsers()) return null;
  const link = await desk.ask("makeSetUpLink", null);
  return link && `Nobody can sign in yet. Set the dashboard up (once, within a day): ${to(link.token)}`;
}
