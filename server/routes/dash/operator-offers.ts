import { offerInput } from "@offers/contract/catalogue";
import {
  offerFile,
  offerFileQuery,
  offerPatch,
  offerQuery,
  offerStatus,
} from "@offers/contract/dash/operator";
import { z } from "zod";
import type { Context } from "../../context.ts";
import { utcDay } from "../../core/utc-day.ts";
import { type DashRoute, dashRoute } from "../../http/dash-route.ts";
import { fromBody, fromQuery } from "../../http/read.ts";
import { replyJson } from "../../http/reply.ts";

const nothing = z.object({});
const offers = "/dash/api/operator/offers" as const;

/** A file of ten thousand offers. */
const fileLimits = { bytes: 8 * 1024 * 1024, members: 3 };

/** Offers of all advertisers: found, made, changed, paused, and in files. */
export function operatorOfferRoutes(context: Context): DashRoute[] {
  const { desk } = context;
  return [
    dashRoute(context, `GET ${offers}`, {
      asks: fromQuery(offerQuery),
      reply: async ({ asked: { q, advertiser, ...search } }) =>
        replyJson(await desk.ask("searchOffers", { ...search, text: q, advertiserId: advertiser })),
    }),
    dashRoute(context, `POST ${offers}`, {
      asks: fromBody(offerInput),
      reply: async ({ asked, actor }) =>
        replyJson(await desk.ask("createOffer", { input: asked }, actor), [], 201),
    }),
    dashRoute(context, `GET ${offers}/:offer`, {
      asks: fromQuery(nothing),
      reply: async ({ params }) => replyJson(await desk.ask("findOffer", { offerId: params.offer })),
    }),
    dashRoute(context, `PATCH ${offers}/:offer`, {
      asks: fromBody(offerPatch),
      reply: async ({ asked, params, actor, ifVersion }) =>
        replyJson(await desk.ask("updateOffer", { offerId: params.offer, patch: asked, ifVersion }, actor)),
    }),
    dashRoute(context, `PUT ${offers}/:offer/status`, {
      asks: fromBody(offerStatus),
      reply: async ({ asked: { status }, params, actor, ifVersion }) =>
        replyJson(await desk.ask("setOfferStatus", { offerId: params.offer, status, ifVersion }, actor)),
    }),
    dashRoute(context, "POST /dash/api/operator/offer-file", {
      asks: fromBody(offerFile),
      limits: fileLimits,
      reply: async ({ asked, actor }) => replyJson(await desk.ask("importOffers", asked, actor)),
    }),
    dashRoute(context, "GET /dash/api/operator/offer-file", {
      asks: fromQuery(offerFileQuery),
      reply: async ({ asked: { format, advertiser } }) => ({
        status: 200,
        headers: [
          "Content-Type",
          format === "json" ? "application/json; charset=utf-8" : "text/csv; charset=utf-8",
          "Content-Disposition",
          `attachment; filename="offers-${utcDay(context.clock())}.${format}"`,
        ],
        body: await desk.ask("exportOffers", { format, advertiserId: advertiser }),
      }),
    }),
  ];
}
