import type { WhatsMyIpAnswer } from "@offers/contract/diagnostics";
import type { RequestHandler } from "express";
import type { Context } from "../context.ts";
import { allowMethods } from "../http/allowed-methods.ts";
import { clientAddress } from "../http/client-address.ts";
import { takeTurn } from "../http/rate-limit.ts";
import { replyJson } from "../http/reply.ts";
import type { RouteHandlers } from "../http/route-handlers.ts";

/** GET /v1/whats-my-ip: how the service sees its caller, for setting up a site or a proxy. */
export function whatsMyIpRoute(context: Context): RouteHandlers {
  return [allowMethods("GET"), tellAddress(context)];
}

const tellAddress =
  (context: Context): RequestHandler =>
  async (req, res) => {
    const client = clientAddress(req, context.trustProxyHops);
    await takeTurn(context, res, "whats_my_ip", { websiteId: null, client });
    const { country, region, eu, source } = context.geo.locate(client.address);
    const proxyHops = context.trustProxyHops;
    replyJson(res, {
      ip: client.address,
      country,
      region,
      eu,
      source,
      proxyHops,
    } satisfies WhatsMyIpAnswer);
  };
