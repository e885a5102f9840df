import { explainQuery } from "@offers/contract/explain";
import { meanRate } from "../core/click-rates.ts";
import { type Explanation, explainRequest, toldOffer } from "../core/explanation.ts";
import type { ExplainedOffer } from "../core/offer-choice.ts";
import { openRequestId } from "../core/request-id.ts";
import { askedRequest } from "../core/request-story.ts";
import { rateWith } from "../core/website-factors.ts";
import { openCurrentGeo } from "../geo/geo-files.ts";
import { readRequestStory } from "../store/books/request-story.ts";
import { CatalogueRefusal, parseInput } from "../store/catalogue/catalogue-refusal.ts";
import { audienceOptions } from "./audience-options.ts";
import {
  type CommandContext,
  type Given,
  type Noun,
  type Option,
  type Outcome,
  UsageError,
} from "./command.ts";
import { standingAt } from "./standing.ts";
import { amount, facts, table } from "./table.ts";

const one = (name: string, hint: string, help: string): Option => ({
  name,
  kind: "text",
  field: `${name}Id`,
  hint,
  help,
});

export const explainNoun: Noun = {
  name: "explain",
  summary: "Why a visitor was shown what they were, and why an event counts or not.",
  commands: [
    {
      verb: "",
      summary:
        "Explain a request, by its own id or by that of one of its events or clicks. Nothing is recorded.",
      options: [
        one("request", "req_…", "the requestId of its decision"),
        one("event", "evt_…", "the id of one of its events"),
        one("click", "ID", "the {click_id} that the advertiser was told"),
        ...audienceOptions("for anybody's"),
      ],
      examples: ["explain --request req_…", "explain --click kLm9… --json"],
      run: explain,
    },
  ],
};

async function explain(given: Given, context: CommandContext): Promise<Outcome> {
  const { catalogue, now, geoFiles } = context;
  const { language, device, ...asked } = parseInput(explainQuery, given);
  if (Object.keys(asked).length !== 1) {
    throw new UsageError(["name one request: by --request, by --event or by --click"]);
  }
  const keys = asked.requestId === undefined ? null : context.tokenKeys();
  const sealed = keys && openRequestId(keys, asked.requestId ?? "");
  const wanted = askedRequest(asked, sealed);
  const story = wanted && (await readRequestStory(catalogue.db, wanted));
  const websiteId = sealed?.websiteId ?? story?.place?.websiteId;
  const standing = await standingAt(now, catalogue);
  const website = websiteId === undefined ? undefined : standing.catalogue.websiteById(websiteId);
  if (!story || website === undefined) throw notKnown(Object.keys(asked)[0] ?? "");
  const dataSets = openCurrentGeo(geoFiles).geo.sources();
  const explanation = explainRequest(
    { story, sealed, website, dataSets, visitor: { language, device } },
    standing,
  );
  const offers = [...explanation.offers].sort(byStanding).map(withParts);
  return {
    answer: answerOf(explanation, offers),
    text: textFor(explanation, offers),
    notes: notOfferedNotes(offers),
  };
}

/** Whose word it is that an offer is not offered, which its publisher is not told. */
export function notOfferedNotes(
  offers: readonly Pick<ReturnType<typeof toldOffer>, "removedBy">[],
): readonly string[] {
  return offers.some(({ removedBy }) => removedBy === "not_offered")
    ? ["not_offered: --only-publishers or --except-publishers of the offer keeps it from this publisher"]
    : [];
}

const notKnown = (field: string): CatalogueRefusal =>
  new CatalogueRefusal([
    {
      field,
      message:
        "names nothing that is kept: deleted by its age or by erase, followed above a limit of calls, made by another service or with another token secret, or mistyped (capitals count)",
    },
  ]);

/** By rank; behind them those that were removed, by the rule. */
export function byStanding(one: ExplainedOffer, other: ExplainedOffer): number {
  return (
    (one.rank ?? Number.POSITIVE_INFINITY) - (other.rank ?? Number.POSITIVE_INFINITY) ||
    (one.removedBy ?? "").localeCompare(other.removedBy ?? "")
  );
}

type OfferWithParts = ReturnType<typeof withParts>;

/** With what the score comes of, which is the operator's to know. */
const withParts = (explained: ExplainedOffer) => {
  const { payoutModel, payoutMicros, currency } = explained.offer;
  const parts = explained.parts();
  return {
    ...toldOffer(explained),
    payoutModel,
    payoutMicros,
    currency,
    score: parts && {
      /** Of both: what offers are compared by, in micro-units of one currency. */
      total: parts.score,
      rankedFor: explained.rankedFor,
      perView: parts.perView,
      perClick: parts.perClick,
      isComparable: parts.isComparable,
      drawnRate: parts.drawnRate,
      meanRate: rateWith(parts.factor, meanRate(parts.rate)),
      /** How many times as often offers are clicked on this website's surface; both rates are with it. */
      websiteFactor: parts.factor,
      believedImpressions: parts.rate.clicks + parts.rate.misses,
    },
  };
};

const answerOf = (
  { told, servedMicros, billedMicros }: Explanation,
  offers: readonly OfferWithParts[],
): object => ({
  ...told,
  served: told.served.map((handed, at) => ({ ...handed, priceMicros: servedMicros[at] })),
  events: told.events.map((event, at) => ({ ...event, billedMicros: billedMicros[at] })),
  offers,
  considered: offers.filter(({ rank }) => rank !== null).length,
  removed: offers.filter(({ rank }) => rank === null).length,
});

const textFor = (
  { told, servedMicros, billedMicros }: Explanation,
  offers: readonly OfferWithParts[],
): string => {
  const { decision, now } = told;
  const { geo } = decision;
  const head = facts({
    website: told.websiteKey,
    at: told.at,
    surface: told.test ? `${told.surface}, test traffic` : told.surface,
    event: told.eventId ?? "-",
    place: `${decision.country}${decision.region && `-${decision.region}`}`,
    "located by": geo === null ? "not kept" : textOfGeo(geo),
    decided: decision.allowed === null ? "not kept" : decision.allowed ? "allowed" : "blocked",
    "decided now":
      `${now.allowed ? "allowed" : (now.reason ?? "blocked")} by ${now.rule.line} ${now.rule.entry ?? ""}`.trimEnd(),
    catalogue: `version ${decision.catalogueVersion ?? "not kept"}, now ${now.catalogueVersion}`,
    "changed since":
      now.websiteChanged === null
        ? "not known"
        : `${now.websiteChanged ? "the website" : "not the website"}, ${now.offersChanged} offers`,
    "no offers because": now.emptyReason ?? "-",
  });
  const ranked = offers.map((offer) => [
    offer.rank === null ? (offer.removedBy ?? "") : String(offer.rank),
    offer.offerId,
    offer.payoutModel,
    amount(offer.payoutMicros),
    offer.currency,
    offer.score === null ? "" : scoreText(offer.score),
    offer.score === null ? "" : percent(offer.score.drawnRate),
    offer.score === null ? "" : percent(offer.score.meanRate),
    `${offer.brand}: ${offer.title}`,
  ]);
  const served = told.served.map((handed, at) => [
    handed.at,
    `${handed.placement ?? "-"} ${handed.position ?? ""}`.trimEnd(),
    handed.offerId ?? "-",
    amount(servedMicros[at] ?? 0),
  ]);
  const events = told.events.map((event, at) => [
    event.at,
    event.type,
    event.offerId ?? "-",
    `${event.reason ?? "counts"}${event.mark === null ? "" : ` (mark: ${event.mark})`}`,
    billedMicros[at] === null ? "-" : amount(billedMicros[at] ?? 0),
    event.eventId,
  ]);
  return [
    head,
    table(["RANK", "OFFER", "MODEL", "PAYOUT", "", "SCORE", "DRAWN", "EXPECTED", "TITLE"], ranked),
    `Served:\n${table(["AT", "PLACE", "OFFER", "PRICE"], served)}`,
    `Events:\n${table(["AT", "TYPE", "OFFER", "REASON", "BILLED", "ID"], events)}${told.moreEvents ? "\nand more" : ""}`,
  ].join("\n\n");
};

const textOfGeo = ({
  basis,
  source,
  date,
  ageDays,
}: NonNullable<Explanation["told"]["decision"]["geo"]>): string =>
  date === null ? basis : `${source ?? "a database of the operator's"} of ${date}, ${ageDays} days old then`;

/** Behind all that can be compared stands what is of a currency without a rate; its number says nothing beside theirs. */
const scoreText = ({ total, isComparable }: { total: number; isComparable: boolean }): string =>
  isComparable ? total.toPrecision(5) : "no rate";

const percent = (rate: number | null): string => (rate === null ? "-" : `${(100 * rate).toFixed(2)} %`);
