import type { RequestId } from "@offers/contract/ids";
import type { Location } from "@offers/contract/location";
import type { EmptyReason } from "@offers/contract/words";
import type { Offer, Website } from "../core/catalogue.ts";
import type { GeoVerdict } from "../core/geo-decision.ts";
import type { Slot } from "./handed-out.ts";

/**
 * Makes something once for each object: the catalogue replaces a website or an offer that changes, and never alters
 * one.
 */
const onceFor = <Key extends object, Value>(make: (key: Key) => Value): ((key: Key) => Value) => {
  const made = new WeakMap<Key, Value>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const value = make(key);
    made.set(key, value);
    return value;
  };
};

/** The members of an object as JSON, without the braces. */
const members = (object: object): string => JSON.stringify(object).slice(1, -1);

/** The JSON of a DecisionAnswer. What the service itself spells (ids, codes, tokens) needs no escaping. */
export function createDecisionText(): (
  website: Website,
  requestId: RequestId,
  location: Location,
  verdict: GeoVerdict,
) => string {
  const partsOf = onceFor(({ settings }: Website) => {
    const { title, message, supportContact, dismissible, theme, language, trigger } = settings;
    const { fallbackUrl: url, fallbackLabel: label } = settings;
    // Websites that were saved before there was a label have none.
    const fallback = url && label ? { url, label } : null;
    return {
      settings: `"settings":${JSON.stringify({ theme, language, trigger })}}`,
      blocked: members({ title, message, supportContact, dismissible, fallback }),
    };
  });
  return (website, requestId, { country, region }, verdict) => {
    const { settings, blocked } = partsOf(website);
    const found = `"requestId":"${requestId}","country":"${country}","region":"${region}"`;
    return verdict.allowed
      ? `{"allowed":true,${found},${settings}`
      : `{"allowed":false,${found},"blocked":{"reason":"${verdict.reason}",${blocked}},${settings}`;
  };
}

/** What an OffersAnswer says beside its offers. */
type Visit = { requestId: RequestId; country: string; region: string; emptyReason: EmptyReason | null };

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
  const partsOf = onceFor((offer: Offer) => {
    const { id, vertical, brand, title, description, ctaText, imageUrl, disclosure, terms } = offer;
    return {
      first: members({ id, vertical, brand, title, description, ctaText, imageUrl }),
      last: members({ disclosure, terms }),
    };
  });
  const textOf = (slot: Slot, link: string): string => {
    const { first, last } = partsOf(slot.offer);
    return `{${first},"url":"${link}","placement":"${slot.placement}","position":${slot.position},${last}}`;
  };
  return ({ requestId, country, region, emptyReason }, slots, linkOf) => {
    const listed = { premium: "", standard: "" };
    for (const slot of slots) {
      const before = listed[slot.placement];
      listed[slot.placement] = `${before}${before === "" ? "" : ","}${textOf(slot, linkOf(slot))}`;
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
