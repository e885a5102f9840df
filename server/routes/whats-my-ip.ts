import type { WhatsMyIpAnswer } from "@offers/contract/open";
import type { Context } from "../context.ts";
import type { Answer } from "../http/call.ts";
import { type OpenCall, openRoute } from "../http/open-route.ts";
import { replyJson } from "../http/reply.ts";
import type { Route } from "../http/route.ts";

/** GET /v1/whats-my-ip: how the service sees its caller, for setting up a site or a proxy. */
export function whatsMyIpRoute(context: Context): Route {
  return openRoute(context, "/v1/whats-my-ip", { reply: tellAddress });
}

function tellAddress({ client }: OpenCall, context: Context): Answer {
  const { located, dataSet } = context.geo.find(client.address);
  const { country, region, eu, source } = located;
  const proxyHops = context.trustProxyHops;
  return replyJson({
    ip: client.address,
    country,
    region,
    eu,
    source,
    geoData: { source: dataSet.name, date: dataSet.date },
    proxyHops,
    unreadableHop: client.unreadableHop ?? null,
  } satisfies WhatsMyIpAnswer);
}
