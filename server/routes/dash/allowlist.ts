import { allowlistBody, type SavedAllowlistAnswer } from "@offers/contract/dash/websites";
import { z } from "zod";
import type { Context } from "../../context.ts";
import { type DashRoute, dashRoute } from "../../http/dash-route.ts";
import { fromBody, fromQuery } from "../../http/read.ts";
import { replyJson, replyJsonText } from "../../http/reply.ts";
import type { InTurn } from "../explanation-text.ts";
import { allowlistText, countInSlices } from "./allowlist-answer.ts";
import { noticed } from "./noticed.ts";
import { taken } from "./taken.ts";
import { asSeenBy, ownOf } from "./websites.ts";

const path = "/dash/api/publishers/:publisher/websites/:website/allowlist" as const;

/** What a website may show: the offers to choose of, and what a choice permits before it is saved. */
export function allowlistRoutes(context: Context, inTurn: InTurn): DashRoute[] {
  const { desk, store } = context;
  return [
    dashRoute(context, `GET ${path}`, {
      asks: fromQuery(z.object({})),
      reply: async (given) => {
        const website = await desk.ask("findWebsite", ownOf(given));
        return replyJsonText(await taken(inTurn, () => allowlistText(store.catalogue(), website)));
      },
    }),
    dashRoute(context, `POST ${path}/preview`, {
      asks: fromBody(allowlistBody),
      reply: async (given) => {
        const website = { ...(await desk.ask("findWebsite", ownOf(given))), allowlist: given.asked };
        return replyJson(await taken(inTurn, () => countInSlices(store.catalogue(), website)));
      },
    }),
    dashRoute(context, `PUT ${path}`, {
      asks: fromBody(allowlistBody),
      reply: async (given) => {
        const { asked: allowlist, ifVersion, actor, by } = given;
        const asked = { ...ownOf(given), allowlist, ifVersion };
        const saved = await asSeenBy(by, noticed(context, desk.ask("saveAllowlist", asked, actor)));
        const { website, warnings } = saved;
        const counting = () => countInSlices(store.catalogue(), website);
        // It is saved, so nobody is to hear that there was too much to do.
        const count = await (inTurn(counting) ?? counting());
        return replyJson({ version: website.version, count, warnings } satisfies SavedAllowlistAnswer);
      },
    }),
  ];
}
