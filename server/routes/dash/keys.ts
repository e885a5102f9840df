import { type DashKeys, keyRoll, type MadeKey, newKey, type RolledKey } from "@offers/contract/dash/keys";
import { z } from "zod";
import type { Context } from "../../context.ts";
import { dayMs, hourMs } from "../../core/utc-day.ts";
import { type DashRoute, dashRoute } from "../../http/dash-route.ts";
import { fromBody, fromQuery } from "../../http/read.ts";
import { replyJson, replyRecorded } from "../../http/reply.ts";

const nothing = z.object({});
const keys = "/dash/api/publishers/:publisher/keys" as const;

/** A publisher's API keys. Only the answer that makes one holds it, and no answer of the dashboard is kept anywhere. */
export function keyRoutes(context: Context): DashRoute[] {
  const { desk, clock } = context;
  return [
    dashRoute(context, `GET ${keys}`, {
      asks: fromQuery(nothing),
      reply: async ({ publisher: { publisherId } }) => {
        const listed = await desk.ask("listApiKeys", { publisherId });
        const items = listed.map(({ publisherId: _, ...key }) => key).reverse();
        return replyJson({ items } satisfies DashKeys);
      },
    }),
    dashRoute(context, `POST ${keys}`, {
      asks: fromBody(newKey),
      reply: async ({ asked: { days, ...asked }, publisher: { publisherId }, actor }) => {
        const expiresAt = days === null ? null : clock() + days * dayMs;
        const made = await desk.ask("createApiKey", { ...asked, publisherId, expiresAt }, actor);
        return replyJson(made satisfies MadeKey, [], 201);
      },
    }),
    dashRoute(context, `POST ${keys}/:key/roll`, {
      asks: fromBody(keyRoll),
      reply: async ({ asked, params, publisher: { publisherId }, actor }) => {
        const overlapMs = asked.overlapHours * hourMs;
        const roll = { publisherId, keyId: params.key, overlapMs };
        const rolled = await desk.ask("rollApiKey", roll, actor);
        return replyJson(rolled satisfies RolledKey, [], 201);
      },
    }),
    dashRoute(context, `DELETE ${keys}/:key`, {
      asks: fromBody(nothing),
      reply: async ({ params, publisher: { publisherId }, actor }) => {
        await desk.ask("revokeApiKey", { publisherId, keyId: params.key }, actor);
        return replyRecorded();
      },
    }),
  ];
}
