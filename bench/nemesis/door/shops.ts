import { issueKeyTo } from "../../api-key.ts";
import {
  everybodyBlocked,
  type MadeCatalogue,
  type MadeWebsite,
  makeCatalogue,
  type OfferPlan,
} from "../../catalogue.ts";
import type { AnyMethodClient } from "../../http-client.ts";
import type { Service } from "../../service.ts";

/** A publisher with what belongs to it. */
export type Shop = MadeCatalogue & {
  website: MadeWebsite;
  /** As a server of its own sends them. */
  key: { authorization: string };
  keyId: string;
  secret: string;
};

/** Where its offers lead to; `{click_id}` is filled in. */
export const landing = "https://landing.example/?click=";

/** Every visitor of theirs sees offers. */
export async function openShop(
  service: Service,
  name: "a" | "b",
  { offers, moreWebsites = [] }: { offers?: readonly OfferPlan[]; moreWebsites?: readonly string[] } = {},
): Promise<Shop> {
  const made = await makeCatalogue(service, {
    websites: [`https://shop-${name}.example`, ...moreWebsites].map((origin) => ({
      name: `Shop ${name}`,
      origins: [origin],
      geo: everybodyBlocked,
    })),
    offers: offers ?? [
      { brand: `Anchor ${name}`, landingUrl: `${landing}{click_id}` },
      { brand: `Buoy ${name}`, landingUrl: `${landing}{click_id}`, payoutModel: "CPM" },
    ],
  });
  const [website] = made.websites;
  if (website === undefined) throw new Error("the catalogue has no website");
  const { key, keyId } = await issueKeyTo(service, made.publisherId);
  const { secret } = await service.admin<{ secret: string }>(
    "secret",
    "create",
    "--website",
    website.websiteKey,
  );
  return { ...made, website, key, keyId, secret };
}

/** A decline session of a website, waiting. */
export async function openSession(
  client: AnyMethodClient,
  website: MadeWebsite,
  headers: Record<string, string>,
): Promise<string> {
  const path = `/v1/widget-decline/session?pub=${website.publicKey}&website=${website.websiteKey}`;
  const answer = await client.post(path, "", headers);
  if (answer.status !== 201) throw new Error(`no session: ${answer.status} ${answer.body}`);
  return (JSON.parse(answer.body) as { sessionId: string }).sessionId;
}
