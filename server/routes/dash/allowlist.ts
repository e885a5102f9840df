import {
  type AllowlistAnswer,
  type AllowlistCount,
  allowlistBody,
  type SavedAllowlistAnswer,
} from "@offers/contract/dash/websites";
import { z } from "zod";
import type { Context } from "../../context.ts";
import { countPermitted, offerTree } from "../../core/allowlist-count.ts";
import type { AnswerOf } from "../../desk/desk.ts";
import { type DashRoute, dashRoute } from "../../http/dash-route.ts";
import { fromBody, fromQuery } from "../../http/read.ts";
import { replyJson } from "../../http/reply.ts";
import { noticed } from "./noticed.ts";
import { asSeenBy, ownOf } from "./websites.ts";

const path = "/dash/api/publishers/:publisher/websites/:website/allowlist" as const;

/** What a website may show: the offers to choose of, and what a choice permits before it is saved. */
export function allowlistRoutes(context: Context): DashRoute[] {
  const { desk } = context;
  const offers = () => context.store.catalogue().rankedOffers();
  const count = (
    website: Pick<AnswerOf<"findWebsite">, "allowlist" | "ownBrand" | "geoRule">,
  ): AllowlistCount => countPermitted(offers(), website);
  return [
    dashRoute(context, `GET ${path}`, {
      asks: fromQuery(z.object({})),
      reply: async (given) => {
        const website = await desk.ask("findWebsite", ownOf(given));
        const { allowlist, version } = website;
        const verticals = offerTree(offers(), website);
        return replyJson({ allowlist, version, count: count(website), verticals } satisfies AllowlistAnswer);
      },
    }),
    dashRoute(context, `POST ${path}/preview`, {
      asks: fromBody(allowlistBody),
      reply: async (given) => {
        const website = await desk.ask("findWebsite", ownOf(given));
        return replyJson(count({ ...website, allowlist: given.asked }));
      },
    }),
    dashRoute(context, `PUT ${path}`, {
      asks: fromBody(allowlistBody),
      reply: async (given) => {
        const { asked: allowlist, ifVersion, actor, by } = given;
        const asked = { ...ownOf(given), allowlist, ifVersion };
        const saved = await asSeenBy(by, noticed(context, desk.ask("saveAllowlist", asked, actor)));
        const { website, warnings } = saved;
        return replyJson({
          version: website.version,
          count: count(website),
          warnings,
        } satisfies SavedAllowlistAnswer);
      },
    }),
  ];
}
