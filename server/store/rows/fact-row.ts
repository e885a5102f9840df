import type { ClientHints } from "@offers/contract/events";
import { momentAfter, msAfter } from "../../core/fact.ts";
import { packOffers, placementNumber, placementOf, unpackOffers } from "../../core/handed-offers.ts";
import type { AnswerFact, Fact } from "../journal/recording.ts";
import type { FactTable } from "../schema.ts";
import { bytesOf, textOf } from "./row-bytes.ts";

/** The columns of a fact without the foreseen one, which stays null. The key comes last, so that an update binds the same values. */
export const factColumns = [
  "cell",
  "at",
  "reason",
  "overruled",
  "mark",
  "placement",
  "position",
  "billed_micros",
  "earned_micros",
  "beacon_after",
  "hop_after",
  "click_id",
  "hints",
  "offers",
  "browser",
  "rates",
  "catalogue",
  "geo_source",
  "request",
  "offer",
  "type",
  "seq",
] as const satisfies readonly (keyof FactTable)[];

export type FactRow = Pick<FactTable, (typeof factColumns)[number]>;

/** So many of the last columns are the key. */
export const factKeyColumns = 4;

/** What a row keeps of a fact, in the order of `factColumns`. */
export function factValues(fact: Fact): FactRow[keyof FactRow][] {
  return [
    fact.cell,
    fact.at,
    fact.reason,
    fact.overruled,
    fact.mark,
    fact.placement === null ? null : placementNumber(fact.placement),
    fact.position,
    fact.billedMicros,
    fact.earnedMicros,
    msAfter(fact.at, fact.beaconAt),
    msAfter(fact.at, fact.hopAt),
    fact.clickId === null ? null : bytesOf(fact.clickId),
    fact.hints === null ? null : hintsText(fact.hints),
    fact.offers === null ? null : packOffers(fact.offers),
    fact.browser,
    fact.rates,
    fact.catalogue,
    fact.geoSource,
    bytesOf(fact.request),
    fact.offer,
    fact.type,
    fact.seq,
  ];
}

/** The columns of which an answer's fact is read where nothing else is asked of it. */
export type AnswerRow = Pick<FactTable, "type" | "seq" | "at" | "reason" | "offers" | "browser">;

/** The answer of a row. */
export function answerOfRow({ type, seq, at, reason, offers, browser }: AnswerRow): AnswerFact {
  return { type, seq, at, reason, offers: offers === null ? null : unpackOffers(offers), browser };
}

/** The fact of a row. */
export function factOfRow(row: FactRow): Fact {
  return {
    ...answerOfRow(row),
    request: textOf(row.request),
    offer: row.offer,
    cell: row.cell,
    overruled: row.overruled,
    mark: row.mark,
    placement: placementOf(row.placement ?? 0),
    position: row.position,
    billedMicros: row.billed_micros,
    earnedMicros: row.earned_micros,
    beaconAt: momentAfter(row.at, row.beacon_after),
    hopAt: momentAfter(row.at, row.hop_after),
    clickId: row.click_id === null ? null : textOf(row.click_id),
    hints: row.hints === null ? null : hintsOf(row.hints),
    rates: row.rates,
    catalogue: row.catalogue,
    geoSource: row.geo_source,
  };
}

/** The members in the order of the array that a table keeps. A new one is appended, never put between. */
const hintNames = [
  "viewportWidth",
  "viewportHeight",
  "devicePixelRatio",
  "language",
  "timezone",
  "visibleRatio",
  "visibleMs",
] as const satisfies readonly (keyof ClientHints)[];

const hintsText = (hints: ClientHints): string =>
  JSON.stringify(hintNames.map((name) => hints[name] ?? null));

const hintsOf = (text: string): ClientHints => {
  const values: (string | number | null)[] = JSON.parse(text);
  return Object.fromEntries(
    hintNames.flatMap((name, index) => (values[index] == null ? [] : [[name, values[index]]])),
  );
};
