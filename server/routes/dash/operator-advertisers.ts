import { deposit, ledgerQuery, newAdvertiser } from "@offers/contract/dash/operator";
import { z } from "zod";
import type { Context } from "../../context.ts";
import { readAmount } from "../../core/decimal-amount.ts";
import { type DashRoute, dashRoute } from "../../http/dash-route.ts";
import { parameterProblem } from "../../http/problem.ts";
import { fromBody, fromQuery } from "../../http/read.ts";
import { replyJson } from "../../http/reply.ts";

const nothing = z.object({});
const advertisers = "/dash/api/operator/advertisers" as const;

/** Who pays for offers: what was paid in, what it was spent on, and what is left. */
export function operatorAdvertiserRoutes(context: Context): DashRoute[] {
  const { desk } = context;
  return [
    dashRoute(context, `GET ${advertisers}`, {
      asks: fromQuery(nothing),
      reply: async () => replyJson({ items: await desk.ask("listAdvertisers", null) }),
    }),
    dashRoute(context, `POST ${advertisers}`, {
      asks: fromBody(newAdvertiser),
      reply: async ({ asked, actor }) => replyJson(await desk.ask("createAdvertiser", asked, actor), [], 201),
    }),
    dashRoute(context, `GET ${advertisers}/:advertiser`, {
      asks: fromQuery(nothing),
      reply: async ({ params }) =>
        replyJson(await desk.ask("readAdvertiser", { advertiserId: params.advertiser })),
    }),
    dashRoute(context, `GET ${advertisers}/:advertiser/ledger`, {
      asks: fromQuery(ledgerQuery),
      reply: async ({ params, asked: { before = null, kind = null } }) =>
        replyJson(await desk.ask("readLedger", { advertiserId: params.advertiser, before, kind })),
    }),
    dashRoute(context, `POST ${advertisers}/:advertiser/deposits`, {
      asks: fromBody(deposit),
      reply: async ({ params, asked: { amount, ...meant }, actor }) => {
        const read = readAmount(amount);
        const message = read.ok ? (read.micros > 0 ? null : "must be more than nothing") : read.message;
        if (!read.ok || message !== null) {
          throw parameterProblem("invalid_parameter", { parameter: "amount", message: message ?? "" });
        }
        const paid = { advertiserId: params.advertiser, micros: read.micros, ...meant };
        return replyJson(await desk.ask("deposit", paid, actor), [], 201);
      },
    }),
  ];
}
