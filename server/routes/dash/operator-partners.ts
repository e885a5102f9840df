import { type MadePartner, newPartner, type PartnerRow } from "@offers/contract/dash/operator";
import { z } from "zod";
import type { Context } from "../../context.ts";
import { type DashRoute, dashRoute } from "../../http/dash-route.ts";
import { fromBody, fromQuery } from "../../http/read.ts";
import { replyJson } from "../../http/reply.ts";

const nothing = z.object({});
const partners = "/dash/api/operator/partners" as const;

/** Applications of partners, which publishers may let in. */
export function operatorPartnerRoutes(context: Context): DashRoute[] {
  const { desk } = context;
  return [
    dashRoute(context, `GET ${partners}`, {
      asks: fromQuery(nothing),
      reply: async () => {
        const items: PartnerRow[] = await desk.ask("listPartners", null);
        return replyJson({ items });
      },
    }),
    dashRoute(context, `POST ${partners}`, {
      asks: fromBody(newPartner),
      reply: async ({ asked, actor }) => {
        const made: MadePartner = await desk.ask("createPartner", asked, actor);
        return replyJson(made, [], 201);
      },
    }),
    dashRoute(context, `DELETE ${partners}/:client`, {
      asks: fromBody(nothing),
      reply: async ({ params, actor }) => {
        const { endedGrants } = await desk.ask("revokePartner", { clientId: params.client }, actor);
        return replyJson({ endedGrants });
      },
    }),
  ];
}
