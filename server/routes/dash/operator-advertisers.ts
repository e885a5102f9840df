import {
  type AdvertiserMonth,
  adjustment,
  deposit,
  type ExactMicros,
  ledgerQuery,
  newAdvertiser,
  statementQuery,
} from "@offers/contract/dash/operator";
import { z } from "zod";
import type { Context } from "../../context.ts";
import { byteOrderMark } from "../../core/csv-cell.ts";
import { type DecimalAmount, readAmount, readSignedAmount } from "../../core/decimal-amount.ts";
import type { Whole } from "../../core/exact-sum.ts";
import type { AnswerOf } from "../../desk/desk.ts";
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
    dashRoute(context, `GET ${advertisers}/:advertiser/statement`, {
      asks: fromQuery(statementQuery),
      reply: async ({ params: { advertiser: advertiserId }, asked: { month, format } }) => {
        if (format === "json")
          return replyJson(told(await desk.ask("readAdvertiserMonth", { advertiserId, month })));
        const text = await desk.ask("exportAdvertiserMonth", { advertiserId, month });
        return {
          status: 200,
          headers: [
            ...["Content-Type", "text/csv; charset=utf-8"],
            ...["Content-Disposition", `attachment; filename="statement-${advertiserId}-${month}.csv"`],
          ],
          body: byteOrderMark + text,
        };
      },
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

/** A month in JSON, which has no exact numbers as large as sums of money may be. */
const told = (read: AnswerOf<"readAdvertiserMonth">): AdvertiserMonth => ({
  ...read,
  ...{ opening: exact(read.opening), closing: exact(read.closing) },
  payments: read.payments.map((one) => ({ ...one, amount: exact(one.amount) })),
  items: read.items.map((one) => ({ ...one, spend: exact(one.spend) })),
  differences: read.differences.map((one) => ({
    ...one,
    ...{ ledger: exact(one.ledger), recorded: exact(one.recorded) },
  })),
});

const exact = (amount: Whole): ExactMicros => (typeof amount === "bigint" ? String(amount) : amount);

/** The micro-units of an amount; throws a problem for what is none, and for what `wrongWith` has words for. */
const microsOf = (read: DecimalAmount, wrongWith: (micros: number) => string | null): number => {
  const message = read.ok ? wrongWith(read.micros) : read.message;
  if (read.ok && message === null) return read.micros;
  throw parameterProblem("invalid_parameter", { parameter: "amount", message: message ?? "" });
};
