import { adjustment, deposit, ledgerQuery, newAdvertiser } from "@offers/contract/dash/operator";
import { z } from "zod";
import type { Context } from "../../context.ts";
import { type DecimalAmount, readAmount, readSignedAmount } from "../../core/decimal-amount.ts";
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
      reply: async ({ params, asked: { amount, depositedMicros, ...meant }, actor }) => {
        const micros = microsOf(readAmount(amount), (read) =>
          read > 0 ? null : "must be more than nothing",
        );
        const paid = { ...meant, advertiserId: params.advertiser, micros, ifDeposited: depositedMicros };
        return replyJson(await desk.ask("deposit", paid, actor), [], 201);
      },
    }),
    dashRoute(context, `POST ${advertisers}/:advertiser/adjustments`, {
      asks: fromBody(adjustment),
      reply: async ({ params, asked: { amount, depositedMicros, ...meant }, actor }) => {
        const micros = microsOf(readSignedAmount(amount), (read) =>
          read === 0 ? "must not be nothing" : null,
        );
        const paid = { ...meant, advertiserId: params.advertiser, micros, ifDeposited: depositedMicros };
        return replyJson(await desk.ask("adjust", paid, actor), [], 201);
      },
    }),
  ];
}

/** The micro-units of an amount; throws a problem for what is none, and for what `wrongWith` has words for. */
const microsOf = (read: DecimalAmount, wrongWith: (micros: number) => string | null): number => {
  const message = read.ok ? wrongWith(read.micros) : read.message;
  if (read.ok && message === null) return read.micros;
  throw parameterProblem("invalid_parameter", { parameter: "amount", message: message ?? "" });
};
