import { type OffersQuery, offersQuery } from "@offers/contract/offers";
import type { EventMark } from "@offers/contract/words";
import type { Context } from "../context.ts";
import { type Audience, firstLanguage } from "../core/audience.ts";
import type { Offer } from "../core/catalogue.ts";
import { deviceOf } from "../core/device-class.ts";
import { visitRefusals } from "../core/edge-refusals.ts";
import { handedOut } from "../core/handed-out.ts";
import { chooseOffers } from "../core/offer-choice.ts";
import { wantedLocale } from "../core/offer-words.ts";
import type { Answer, Call } from "../http/call.ts";
import { type PageCall, pageRoute } from "../http/page-route.ts";
import { previewRequest } from "../http/preview-call.ts";
import { fromQuery } from "../http/read.ts";
import { replyJsonText } from "../http/reply.ts";
import type { Route } from "../http/route.ts";
import { admitSite } from "../http/site-origin.ts";
import { createOffersText } from "./answer-text.ts";
import { linksOf, type Slot } from "./handed-out.ts";
import { openFreshRequest } from "./own-request.ts";
import { standingOf } from "./standing.ts";
import { agentOf, knownNetworkOf, laterVisit } from "./visit.ts";

/** GET /v1/offers: what this visitor is shown instead of the page. */
export function offersRoute(context: Context): Route {
  const textOf = createOffersText();
  return pageRoute(context, "/v1/offers", {
    asks: fromQuery(offersQuery),
    admit: (query, call) => ({
      website: previewRequest(context, call, query)?.website ?? admitSite(context, call, query),
    }),
    reply: (given) => serveOffers(given, context, textOf),
  });
}

async function serveOffers(
  { asked, website, client, call }: PageCall<OffersQuery>,
  context: Context,
  textOf: ReturnType<typeof createOffersText>,
): Promise<Answer> {
  const facts = openFreshRequest(context, asked.requestId, website);
  const { limit } = asked;
  const standing = standingOf(context);
  const choice = chooseOffers({ facts, website, ...standing, limit, visitor: audienceOf(context, call) });
  const slots = [...inSlots("premium", choice.premium), ...inSlots("standard", choice.standard)];
  if (slots.length > 0) {
    const visit = laterVisit(context, facts, call.headers["user-agent"]);
    const mark: EventMark | null = asked.country === facts.country ? null : "geo_mismatch";
    const { catalogue, rates } = standing;
    const { decidedBy } = facts;
    const by = { rates: rates.version, catalogue: catalogue.version, ...(decidedBy && { decidedBy }) };
    // A decline's request was sealed without what its visitor's address belongs to.
    const observed = visitRefusals(facts.network ?? knownNetworkOf(context, { client, test: facts.test }));
    const handed = { offers: slots.map(handedOut), mark, ...by, observed };
    await context.store.journal.append({ kind: "served", visit, ...handed });
  }
  const { country, region } = facts;
  const wanted = wantedLocale(asked.lang, call.headers["accept-language"]);
  const visit = { requestId: asked.requestId, country, region, emptyReason: choice.emptyReason, wanted };
  const text = textOf(visit, slots, linksOf(context, asked.requestId, slots.length));
  // `private` too: two visitors must not share an answer even behind a cache that was told to overrule no-store.
  const answer = replyJsonText(text, ["Cache-Control", "private, no-store"]);
  return { ...answer, outcome: { kind: "offered", by: choice.emptyReason ?? "offers" } };
}

const audienceOf = (context: Context, { headers }: Call): Audience => ({
  language: firstLanguage(headers["accept-language"]),
  device: deviceOf(agentOf(context, headers["user-agent"]).device),
});

const inSlots = (placement: Slot["placement"], offers: readonly Offer[]): Slot[] =>
  offers.map((offer, index) => ({ offer, placement, position: index + 1 }));
