import { type DashOperation, dashEndpoints } from "@offers/contract/dash/endpoints";
import { dashAsked } from "../../../server/testing/dash-asked.ts";
import type { AnyMethodClient } from "../../http-client.ts";
import type { Service } from "../../service.ts";
import { visitorAt, visitPage } from "../../visitor.ts";
import { connectPartner } from "./partner.ts";
import { type Person, signIn } from "./people.ts";
import type { Shop } from "./shops.ts";

/** One of everything that a publisher has an id for, by the name that paths of the dashboard give it. */
export type Things = Record<
  | "publisher"
  | "website"
  | "secret"
  | "key"
  | "user"
  | "invitation"
  | "grant"
  | "session"
  | "advertiser"
  | "offer"
  | "client",
  string
> & { request: string };

/** A publisher's owner, and ids of what is theirs. */
export type Team = { owner: Person; things: Things };

type Listed = { members: { userId: number; email: string }[]; invitations: { invitationId: number }[] };

export async function makeTeam(service: Service, client: AnyMethodClient, shop: Shop): Promise<Team> {
  const { publisherId, website } = shop;
  const name = new URL(website.origin).hostname;
  const owner = await signIn(service, client, { email: `owner@${name}`, publisherId, role: "owner" });
  await signIn(service, client, { email: `viewer@${name}`, publisherId, role: "viewer" });
  const path = `/dash/api/publishers/${publisherId}`;
  await owner.call("POST", `${path}/team/invitations`, { body: { email: `new@${name}`, role: "viewer" } });
  const team = JSON.parse((await owner.call("GET", `${path}/team`)).body) as Listed;
  const secrets = await service.admin<{ secretId: string }[]>(
    "secret",
    "list",
    "--website",
    website.websiteKey,
  );
  const sessions = JSON.parse((await owner.call("GET", "/dash/api/me/sessions")).body) as {
    items: { sessionId: number }[];
  };
  const { grantId, clientId } = await connectPartner(service, client, owner, publisherId);
  const { decision } = await visitPage(client, website, visitorAt(50, website));
  return {
    owner,
    things: {
      publisher: publisherId,
      website: website.websiteKey,
      secret: secrets[0]?.secretId ?? "",
      key: shop.keyId,
      user: String(team.members.find(({ email }) => email.startsWith("viewer@"))?.userId),
      invitation: String(team.invitations[0]?.invitationId),
      grant: grantId,
      session: String(sessions.items[0]?.sessionId),
      advertiser: shop.advertiserId,
      offer: shop.offers[0]?.offerId ?? "",
      client: clientId,
      request: decision.requestId,
    },
  };
}

/** A call of an endpoint of the dashboard: its address and body, about these things. */
export function callOf(
  operation: DashOperation,
  things: Things,
  own: Things = things,
): { method: string; path: string; body?: unknown } {
  const [method = "", pattern = ""] = operation.split(" ");
  const { query, body } = dashAsked[operation];
  const path = pattern.replace(/:(\w+)/g, (_, name: keyof Things) => encodeURIComponent(things[name]));
  const asked = query
    ?.replace("{request}", encodeURIComponent(things.request))
    .replace("publisher_a", encodeURIComponent(things.publisher));
  const text = JSON.stringify(typeof body === "function" ? body() : body)
    ?.replaceAll("advertiser_1", own.advertiser)
    // Whoever deletes a website says its name, and before that it was given another one.
    .replace('"Example"', '"Another name"');
  return {
    method,
    path: asked === undefined ? path : `${path}?${asked}`,
    ...(text !== undefined && { body: JSON.parse(text) as unknown }),
  };
}

/** What takes something away comes late, and what takes the most away at the very end. */
const weightOf = (operation: DashOperation): number => {
  if (!operation.startsWith("DELETE")) return 0;
  if (operation.endsWith("/websites/:website") || operation.includes("/operator/")) return 2;
  return operation.endsWith("/:session") ? 3 : 1;
};

/** In an order in which one after the other can be asked. */
export const dashOperations = dashEndpoints
  .map(({ method, path }) => `${method} ${path}` as DashOperation)
  .toSorted((one, other) => weightOf(one) - weightOf(other));
