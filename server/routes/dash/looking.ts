import {
  dashOffersQuery,
  type SimulateAnswer,
  type SimulateQuery,
  simulateQuery,
} from "@offers/contract/dash/looking";
import { explainQuery } from "@offers/contract/explain";
import type { Context } from "../../context.ts";
import type { Website } from "../../core/catalogue.ts";
import { requestKeyOf, requestRandomBytes } from "../../core/request-key.ts";
import { explainVisit, type SimulatedVisit, simulateVisit } from "../../core/simulation.ts";
import { suppressionOf } from "../../core/suppression.ts";
import { type DashRoute, dashRoute } from "../../http/dash-route.ts";
import { unknownSubject } from "../../http/problem.ts";
import { fromQuery } from "../../http/read.ts";
import { replyJsonText } from "../../http/reply.ts";
import { explain } from "../explain.ts";
import { explanationText, type InTurn } from "../explanation-text.ts";
import { checkedPlace } from "../place.ts";
import { standingOf } from "../standing.ts";
import { offersText } from "./offers-text.ts";
import { taken } from "./taken.ts";

const publisher = "/dash/api/publishers/:publisher" as const;

/** What a publisher looks up: why a visit saw what it did, what one would see, and which offers there are. */
export function lookingRoutes(context: Context, inTurn: InTurn): DashRoute[] {
  return [
    dashRoute(context, `GET ${publisher}/explain`, {
      asks: fromQuery(explainQuery, { refusesOthers: true }),
      reply: ({ asked, publisher: { publisherId }, by }) =>
        explain(asked, { publisherId, websiteId: null, isOperator: by.isOperator }, context, inTurn),
    }),
    dashRoute(context, `GET ${publisher}/websites/:website/simulate`, {
      asks: fromQuery(simulateQuery, { refusesOthers: true }),
      reply: async ({ asked, params, publisher: { publisherId }, by }) => {
        const { region } = checkedPlace(context, "", asked);
        const website = context.store.catalogue().website(params.website);
        if (website?.publisherId !== publisherId) throw unknownSubject();
        return replyJsonText(
          await taken(inTurn, () => simulate(context, website, { ...asked, region }, by.isOperator)),
        );
      },
    }),
    dashRoute(context, `GET ${publisher}/offers`, {
      asks: fromQuery(dashOffersQuery, { refusesOthers: true }),
      reply: async ({ asked, publisher: { publisherId } }) => {
        const websites = context.store.catalogue().websitesOf(publisherId);
        return replyJsonText(
          await taken(inTurn, () => offersText(context.store.catalogue(), websites, asked)),
        );
      },
    }),
  ];
}

/** What a visit would be answered with, and why, by the functions that answer visits. Nothing is recorded. */
const simulate = (
  context: Context,
  website: Website,
  asked: SimulateQuery,
  isOperator: boolean,
): Promise<string> => {
  const { country, region = "", surface, language = null, device = null, reason = null } = asked;
  const isDeclined = surface === "decline";
  const visit: SimulatedVisit = {
    website,
    location: { country, region },
    surface,
    request: asked.draw ?? requestKeyOf(context.clock(), context.randomBytes(requestRandomBytes)),
    visitor: { language, device },
    suppression: (isDeclined && suppressionOf({ reason, verticals: [] })) || undefined,
  };
  const standing = standingOf(context);
  const { choice } = simulateVisit(visit, standing);
  const { verdict, rule, choice: explained } = explainVisit(visit, standing);
  const told = {
    websiteKey: website.key,
    country,
    region,
    surface,
    allowed: rule.line !== "declined" && verdict.allowed,
    reason: rule.line === "declined" || verdict.allowed ? null : verdict.reason,
    rule: { ...rule, mode: website.geoRule.mode },
    emptyReason: choice.emptyReason,
    premium: choice.premium.map(({ id }) => id),
    standard: choice.standard.map(({ id }) => id),
    draw: visit.request,
    catalogueVersion: standing.catalogue.version,
  } satisfies Omit<SimulateAnswer, "offers" | "considered" | "removed">;
  return explanationText({
    told,
    offers: explained.offers,
    isTold: ({ isOffered }) => isOperator || isOffered,
  });
};
