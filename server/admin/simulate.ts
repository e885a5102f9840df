import { randomBytes } from "node:crypto";
import { type Location, regionWithin } from "@offers/contract/location";
import { deviceClasses, unknownCountry } from "@offers/contract/words";
import { firstLanguage } from "../core/audience.ts";
import type { Offer } from "../core/catalogue.ts";
import { toldOffer } from "../core/explanation.ts";
import { type PlaceRules, placeProblem } from "../core/place-problem.ts";
import { requestKeyOf, requestRandomBytes } from "../core/request-key.ts";
import { explainVisit, type SimulatedVisit, simulateVisit } from "../core/simulation.ts";
import { CatalogueRefusal } from "../store/catalogue/catalogue-refusal.ts";
import { requireWebsite } from "../store/catalogue/websites.ts";
import { audienceOptions } from "./audience-options.ts";
import { type Given, type Noun, optionalTextOf, textOf } from "./command.ts";
import { byStanding, notOfferedNotes } from "./explain.ts";
import { standingAt } from "./standing.ts";
import { amount, facts, table } from "./table.ts";
import { websiteOption } from "./website-options.ts";

const mostOffers = 20;

export const simulateNoun: Noun = {
  name: "simulate",
  summary: "What a visitor from some place would be shown on a website now.",
  commands: [
    {
      verb: "",
      summary: "Decide and choose offers as a visit would be answered now. Nothing is recorded.",
      options: [
        websiteOption,
        {
          name: "country",
          kind: "text",
          field: "country",
          hint: "CC",
          required: true,
          help: `where the visitor is: DE; ${unknownCountry} for one that cannot be located`,
        },
        { name: "region", kind: "text", field: "region", hint: "R", help: "the region in it: NJ or US-NJ" },
        ...audienceOptions("not known"),
        {
          name: "surface",
          kind: "choice",
          choices: ["overlay", "section"],
          field: "surface",
          help: "where the offers are to stand (overlay)",
        },
        {
          name: "limit",
          kind: "count",
          field: "limit",
          hint: "N",
          help: `how many offers beside the premium one, 0 to ${mostOffers} (6)`,
        },
      ],
      examples: [
        "simulate --website ws_journal --country DE",
        "simulate --website ws_journal --country US --region NJ --surface section --json",
      ],
      run: async (given, { catalogue, now, rules }) => {
        const location = locationOf(given, rules);
        const limit = limitOf(given);
        const surface = given.surface === "section" ? "section" : "overlay";
        const { websiteKey } = await requireWebsite(catalogue.db, textOf(given, "websiteKey"));
        const standing = await standingAt(now, catalogue);
        const website = standing.catalogue.website(websiteKey);
        if (website === undefined) throw new Error(`${websiteKey} is saved and was not read`);
        const request = requestKeyOf(now, randomBytes(requestRandomBytes));
        const visitor = {
          language: firstLanguage(optionalTextOf(given, "language")),
          device: deviceClasses.find((one) => one === given.device) ?? null,
        };
        const visit: SimulatedVisit = { website, location, surface, request, limit, visitor };
        const { verdict, choice } = simulateVisit(visit, standing);
        const offers = [...inPlaces("premium", choice.premium), ...inPlaces("standard", choice.standard)];
        const shown = new Set(offers.map(({ offerId }) => offerId));
        const others = [...explainVisit(visit, standing).choice.offers]
          .filter(({ offer }) => !shown.has(offer.id))
          .sort(byStanding)
          .map(toldOffer);
        const said = {
          websiteKey,
          ...location,
          surface,
          allowed: verdict.allowed,
          reason: verdict.allowed ? null : verdict.reason,
          emptyReason: choice.emptyReason,
        };
        return {
          answer: { ...said, offers, others },
          text: textFor(said, offers, others),
          notes: notOfferedNotes(others),
        };
      },
    },
  ],
};

/** Throws a CatalogueRefusal for a place that is none. */
const locationOf = (given: Given, rules: PlaceRules): Location => {
  const country = textOf(given, "country").toUpperCase();
  if (country === unknownCountry) return { country, region: "" };
  const named = (optionalTextOf(given, "region") ?? "").toUpperCase();
  // A place where nobody is ever located may be tried all the same.
  const problem = placeProblem({ country, region: named === "" ? undefined : named }, rules);
  if (problem !== null) throw new CatalogueRefusal([problem]);
  return { country, region: regionWithin(country, named) ?? "" };
};

const limitOf = ({ limit }: Given): number | undefined => {
  if (typeof limit !== "number") return undefined;
  if (limit <= mostOffers) return limit;
  throw new CatalogueRefusal([{ field: "limit", message: `must be at most ${mostOffers}` }]);
};

const inPlaces = (placement: "premium" | "standard", offers: readonly Offer[]) =>
  offers.map(({ id, brand, title, payoutModel, payoutMicros, currency }, at) => ({
    placement,
    position: at + 1,
    offerId: id,
    brand,
    title,
    payoutModel,
    payoutMicros,
    currency,
  }));

const textFor = (
  said: Record<string, unknown>,
  offers: ReturnType<typeof inPlaces>,
  others: readonly ReturnType<typeof toldOffer>[],
): string => {
  const rows = offers.map((one) => [
    `${one.placement} ${one.position}`,
    one.offerId,
    one.payoutModel,
    amount(one.payoutMicros),
    one.currency,
    `${one.brand}: ${one.title}`,
  ]);
  const told = Object.entries(said).map(([name, value]) => [name, String(value ?? "") || "-"]);
  const left = others.map(({ removedBy, rank, offerId, brand, title }) => [
    removedBy ?? `rank ${rank}`,
    offerId,
    `${brand}: ${title}`,
  ]);
  return [
    facts(Object.fromEntries(told)),
    ...(rows.length === 0 ? [] : [table(["PLACE", "OFFER", "MODEL", "PAYOUT", "", "TITLE"], rows)]),
    ...(left.length === 0 ? [] : [table(["NOT SHOWN", "OFFER", "TITLE"], left)]),
  ].join("\n\n");
};
