import type { RequestId } from "@offers/contract/ids";
import type { Location } from "@offers/contract/location";
import type { EmptyReason, Frequency } from "@offers/contract/words";
import { accentColours } from "../core/accent.ts";
import type { Offer, Website } from "../core/catalogue.ts";
import type { GeoVerdict } from "../core/geo-decision.ts";
import { inEachLocale, type WantedLocale } from "../core/offer-words.ts";
import type { Showing } from "../core/showing.ts";
import type { Slot } from "./handed-out.ts";
import { onceFor } from "./once-for.ts";

/** An object as JSON, to which members may be added before its last brace. */
const opened = (object: object): string => JSON.stringify(object).slice(0, -1);
/** The members of an object as JSON, without the braces. */
const members = (object: object): string => opened(object).slice(1);

/** The JSON of a DecisionAnswer. What the service itself spells (ids, codes, tokens) needs no escaping. */
export function createDecisionText(): (
  website: Website,
  requestId: RequestId,
  location: Location,
  verdict: GeoVerdict,
  showing: Showing & { frequency: Frequency },
) => string {
  const partsOf = onceFor(({ settings }: Website) => {
    const { title, message, supportContact, dismissible, theme, language, placement, pages } = settings;
    // What may not be dismissed waits for nothing and stands in nobody's corner (decisions.md#firm-at-once).
    const own = dismissible
      ? { theme, language, trigger: settings.trigger, placement }
      : { theme, language, trigger: "immediate", placement: "center" };
    const { fallbackUrl: url, fallbackLabel: label } = settings;
    // Websites that were saved before there was a label have none.
    const fallback = url && label ? { url, label } : null;
    const { accent, radius, font, logo } = settings;
    const colours = accent === null ? null : accentColours(accent);
    const look = {
      ...(colours && { accent: colours.light, accentDark: colours.dark }),
      ...(radius !== null && { radius }),
      ...(font !== "own" && { font }),
    };
    const hasRules = pages.include.length + pages.exclude.length > 0;
    return {
      settings: opened({ ...own, ...look }),
      ruled: opened({ ...own, ...look, ...(logo !== null && { logo }), ...(hasRules && { pages }) }),
      blocked: members({ title, message, supportContact, dismissible, fallback }),
    };
  });
  return (website, requestId, { country, region }, verdict, { frequency, ...showing }) => {
    const { settings, ruled, blocked } = partsOf(website);
    const hidden = showing.show ? "" : `,"hidden":"${showing.hidden}"`;
    const shown = `,"frequency":"${frequency}","show":${showing.show}${hidden}}`;
    const found = `"requestId":"${requestId}","country":"${country}","region":"${region}"`;
    return verdict.allowed
      ? `{"allowed":true,${found},"settings":${settings}${shown}}`
      : `{"allowed":false,${found},"blocked":{"reason":"${verdict.reason}",${blocked}},"settings":${ruled}${shown}}`;
  };
}

/** What an OffersAnswer says beside its offers, and in which locale its offers speak. */
type Visit = {
  requestId: RequestId;
  country: string;
  region: string;
  emptyReason: EmptyReason | null;
  wanted: WantedLocale;
};

/**
 * The JSON of an OffersAnswer. An offer's members are named one by one, so that nothing an offer learns later reaches
 * a browser by itself.
 * @param linkOf the link of a slot, which needs no escaping.
 */
export function createOffersText(): (
  visit: Visit,
  slots: readonly Slot[],
  linkOf: (slot: Slot) => string,
) => string {
  const partsOf = onceFor((offer: Offer) =>
    inEachLocale(offer, ({ texts, lang, langOf }) => {
      const { id, vertical, brand, imageUrl } = offer;
      const { title, description, ctaText, disclosure, terms } = texts;
      const others = Object.keys(langOf).length === 0 ? {} : { langOf };
      return {
        first: members({ id, vertical, brand, title, description, ctaText, imageUrl }),
        last: members({ disclosure, terms, lang, ...others }),
      };
    }),
  );
  const textOf = (slot: Slot, link: string, wanted: WantedLocale): string => {
    const { first, last } = partsOf(slot.offer)(wanted);
    return `{${first},"url":"${link}","placement":"${slot.placement}","position":${slot.position},${last}}`;
  };
  return ({ requestId, country, region, emptyReason, wanted }, slots, linkOf) => {
    const listed = { premium: "", standard: "" };
    for (const slot of slots) {
      const before = listed[slot.placement];
      listed[slot.placement] = `${before}${before === "" ? "" : ","}${textOf(slot, linkOf(slot), wanted)}`;
    }
    const reason = emptyReason === null ? "null" : `"${emptyReason}"`;
    return (
      `{"requestId":"${requestId}","country":"${country}","region":"${region}",` +
      `"premium":[${listed.premium}],"standard":[${listed.standard}],"emptyReason":${reason}}`
    );
  };
}

/** The JSON of a ServerDecisionAnswer; `link` is the chosen offer's. */
export function createServerDecisionText(): (
  requestId: RequestId,
  location: Location,
  allowed: boolean,
  chosen: { offer: Offer; link: string } | null,
) => string {
  const summaryOf = onceFor(({ id, vertical, brand }: Offer) => members({ id, vertical, brand }));
  return (requestId, { country, region }, allowed, chosen) => {
    const decision = allowed ? "pass_through" : "serve_overlay";
    const offer = chosen === null ? "" : `"offer":{${summaryOf(chosen.offer)},"url":"${chosen.link}"},`;
    return `{"decision":"${decision}","country":"${country}","region":"${region}",${offer}"requestId":"${requestId}"}`;
  };
}
