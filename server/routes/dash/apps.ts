import type { ConnectedApps } from "@offers/contract/dash/apps";
import { z } from "zod";
import type { Context } from "../../context.ts";
import { type DashRoute, dashRoute } from "../../http/dash-route.ts";
import { fromBody, fromQuery } from "../../http/read.ts";
import { replyJson, replyRecorded } from "../../http/reply.ts";

const nothing = z.object({});
const apps = "/dash/api/publishers/:publisher/apps" as const;

/** The partners that may act for a publisher. Ending a connection asks for no password: it takes a right away. */
export function appRoutes(context: Context): DashRoute[] {
  const { desk } = context;
  return [
    dashRoute(context, `GET ${apps}`, {
      asks: fromQuery(nothing),
      reply: async ({ publisher: { publisherId } }) => {
        const grants = await desk.ask("listGrants", { publisherId });
        const items = grants.map(({ grantId, partner, scopes, allowedBy, at, endsAt, lastUsedAt }) => ({
          ...{ grantId, partner, scopes, allowedBy, at, endsAt, lastUsedAt },
        }));
        return replyJson({ items } satisfies ConnectedApps);
      },
    }),
    dashRoute(context, `DELETE ${apps}/:grant`, {
      asks: fromBody(nothing),
      reply: async ({ params, publisher: { publisherId }, actor }) => {
        await desk.ask("revokeGrant", { publisherId, grantId: params.grant }, actor);
        return replyRecorded();
      },
    }),
  ];
}
