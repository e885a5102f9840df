import { Refused } from "./api.ts";
import { isMembers, isSame, mergeOver } from "./merge-patch.ts";
import { plainAmount, typedMicros } from "./money.ts";
import { typedShare } from "./share.ts";

/** An offer as the fields of a form hold it: texts all of them, but for what is ticked. */
export type OfferDraft = Record<TextMember, string> & { premium: boolean };

/** How each member of an offer is written in a field. */
const memberKinds = {
  advertiserId: "text",
  brand: "text",
  vertical: "text",
  title: "text",
  description: "text",
  ctaText: "text",
  disclosure: "text",
  terms: "text",
  language: "text",
  locales: "json",
  imageUrl: "text or none",
  landingUrl: "text",
  geoCoverage: "list",
  payoutModel: "text",
  payoutMicros: "amount",
  conversionRateBasisPoints: "per cent or none",
  currency: "text",
  dailyBudgetMicros: "amount or none",
  totalBudgetMicros: "amount or none",
  dailyClickCap: "count or none",
  totalClickCap: "count or none",
  pacing: "text",
  startsAt: "text or none",
  endsAt: "text or none",
  days: "list or all",
  hours: "hours",
  timeZone: "text",
  languages: "list or all",
  devices: "list or all",
  onlyPublishers: "list or all",
  exceptPublishers: "list",
} as const;
export type TextMember = keyof typeof memberKinds;

/** What a new offer begins with. */
export const newDraft: OfferDraft = {
  ...(Object.fromEntries(Object.keys(memberKinds).map((name) => [name, ""])) as Record<TextMember, string>),
  locales: "{}",
  payoutModel: "CPC",
  currency: "EUR",
  pacing: "asap",
  timeZone: "UTC",
  premium: false,
};

/** The fields of an offer that is saved. */
export function draftOf(offer: Record<string, unknown>): OfferDraft {
  const texts = Object.fromEntries(
    Object.entries(memberKinds).map(([name, kind]) => [name, textOf(kind, offer[name])]),
  ) as Record<TextMember, string>;
  return { ...texts, premium: offer.premium === true };
}

/** What the fields say, as the service takes it; or what is wrong with a field that cannot be read at all. */
export function offerOfDraft(
  draft: OfferDraft,
): { ok: true; offer: Record<string, unknown> } | { ok: false; wrong: Partial<Record<TextMember, string>> } {
  const wrong: Partial<Record<TextMember, string>> = {};
  const offer: Record<string, unknown> = { premium: draft.premium };
  for (const name of Object.keys(memberKinds) as TextMember[]) {
    const read = readField(memberKinds[name], draft[name]);
    if (read.ok) offer[name] = read.value;
    else wrong[name] = read.wrong;
  }
  // The service says the same of micro-units, which no field takes.
  if (offer.payoutModel === "CPM" && Number(offer.payoutMicros ?? 0) % 1000 !== 0) {
    wrong.payoutMicros = "must have at most three decimals, since it is the price of 1000 impressions";
  }
  return Object.keys(wrong).length > 0 ? { ok: false, wrong } : { ok: true, offer };
}

/** The same, for what cannot go on without: throws where a field cannot be read at all. */
export function readOffer(draft: OfferDraft): Record<string, unknown> {
  const read = offerOfDraft(draft);
  if (read.ok) return read.offer;
  const errors = Object.entries(read.wrong).map(([parameter, message]) => ({ parameter, message }));
  throw new Refused(400, "invalid_parameter", "Some fields cannot be read.", errors);
}

/**
 * The fields of `theirs` once somebody has done to it what they have done to `before`. It is the offers that are merged: of a list or of
 * translations the text of a field would be taken whole, and what others have added would be gone. Throws where a field of `mine`
 * cannot be read.
 */
export function mergeOffers(before: OfferDraft, mine: OfferDraft, theirs: OfferDraft): OfferDraft {
  const [was, own, other] = [readOffer(before), readOffer(mine), readOffer(theirs)];
  const over = mergeOver(was, own, other);
  for (const [name, kind] of Object.entries(memberKinds)) {
    // Where an empty list means all, a name that comes to it shuts all others out, and the last that goes lets them in. Ranges of
    // hours are one wish.
    const isWhole =
      kind === "hours" ||
      (kind === "list or all" && [was, own, other, over].some((offer) => isSame(offer[name], [])));
    if (isWhole && !isSame(was[name], own[name])) over[name] = own[name];
  }
  return draftOf(over);
}

type Kind = (typeof memberKinds)[TextMember];
type Read = { ok: true; value: unknown } | { ok: false; wrong: string };

const textOf = (kind: Kind, value: unknown): string => {
  if (value === null || value === undefined) return kind === "json" ? "{}" : "";
  if (kind === "json") return JSON.stringify(value, null, 2);
  if (kind === "per cent or none") return String(Number(value) / 100);
  if (kind === "amount" || kind === "amount or none") return plainAmount(Number(value));
  return Array.isArray(value) ? value.join(", ") : String(value);
};

const readField = (kind: Kind, text: string): Read => {
  const typed = text.trim();
  switch (kind) {
    case "text":
      return { ok: true, value: typed };
    case "text or none":
      return { ok: true, value: typed === "" ? null : typed };
    case "list":
    case "list or all":
    case "hours":
      return { ok: true, value: typed.split(/[\s,;]+/).filter((word) => word !== "") };
    case "amount":
    case "amount or none": {
      const micros = typedMicros(typed);
      if (micros === undefined) return { ok: false, wrong: "must be an amount such as 0.45" };
      if (micros === null && kind === "amount") return { ok: false, wrong: "is required" };
      return { ok: true, value: micros };
    }
    case "count or none":
      if (typed === "") return { ok: true, value: null };
      if (!/^\d{1,15}$/.test(typed)) return { ok: false, wrong: "must be a whole number such as 300" };
      return { ok: true, value: Number(typed) };
    case "per cent or none": {
      const basisPoints = typedShare(typed);
      if (basisPoints === undefined || basisPoints === 0 || Number(basisPoints) > 10_000) {
        return { ok: false, wrong: "must be 0.01 to 100, with at most two decimals" };
      }
      return { ok: true, value: basisPoints };
    }
    case "json":
      return readMembers(typed);
    default:
      return kind satisfies never;
  }
};

const readMembers = (typed: string): Read => {
  try {
    const value: unknown = JSON.parse(typed === "" ? "{}" : typed);
    if (isMembers(value)) return { ok: true, value };
  } catch {
    // Said below.
  }
  return { ok: false, wrong: 'must be JSON such as {"de": {"title": "Windstrom"}}' };
};
