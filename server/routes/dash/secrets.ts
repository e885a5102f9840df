import type { MadeSecret, SecretsAnswer } from "@offers/contract/dash/websites";
import { z } from "zod";
import type { Context } from "../../context.ts";
import { type DashRoute, dashRoute } from "../../http/dash-route.ts";
import { fromBody, fromQuery } from "../../http/read.ts";
import { replyJson, replyRecorded } from "../../http/reply.ts";
import { noticed } from "./noticed.ts";
import { ownOf } from "./websites.ts";

const nothing = z.object({});
const path = "/dash/api/publishers/:publisher/websites/:website/secrets" as const;

/** The secrets with which a website's own server declines visitors. Several are good at once, so that one can be rolled. */
export function secretRoutes(context: Context): DashRoute[] {
  const { desk } = context;
  return [
    dashRoute(context, `GET ${path}`, {
      asks: fromQuery(nothing),
      reply: async (given) => {
        const { items, ...settings } = await desk.ask("listSecrets", ownOf(given));
        return replyJson({
          ...settings,
          items: items.map(({ websiteKey: _, ...secret }) => secret),
        } satisfies SecretsAnswer);
      },
    }),
    dashRoute(context, `POST ${path}`, {
      asks: fromBody(nothing),
      reply: async (given) => {
        const made = await noticed(context, desk.ask("createSecret", ownOf(given), given.actor));
        return replyJson(made satisfies MadeSecret, [], 201);
      },
    }),
    dashRoute(context, `DELETE ${path}/:secret`, {
      asks: fromBody(nothing),
      reply: async (given) => {
        await noticed(
          context,
          desk.ask("revokeSecret", { ...ownOf(given), secretId: given.params.secret }, given.actor),
        );
        return replyRecorded();
      },
    }),
  ];
}
