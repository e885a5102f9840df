import type { GeoBasis } from "@offers/contract/words";
import { dataAgeDays } from "./data-age.ts";
import { dateOfDay, dayNumber } from "./utc-day.ts";

/** The catalogue and the location data that a visit was decided by, which tell afterwards whether anything has changed since. */
export type DecidedBy = {
  /** The catalogue's version, 0 to 2^32 - 1. */
  catalogue: number;
  /** A `geoSourceNumber`, 0 to 2^24 - 1. */
  geoSource: number;
};

/** A data set: its name, and the day that it is of, `YYYY-MM-DD`. */
export type GeoDataSet = { name: string; date: string };

/** What located a visitor; `name` is null for a database of the operator's own, whose name is not kept. */
export type GeoSource = { basis: GeoBasis; name: string | null; date: string | null };

/** Their places in this list are kept with events: a name is only ever appended. The first is any other data set. */
const named = ["", "geo-whois-asn-country", "iptoasn-country", "geoip-lite"] as const;
const kinds = 16;
/**
 * So are the places of these, wherever they stand in the contract's list. A fifth one is to be given a number of 8 to 15 by
 * itself: those from 4 on are the data sets', with the day in the bits above.
 */
const bases = ["address", "hint", "simulated", "none"] as const;
/** That of the first of `named`. */
const firstKind = 4;

/**
 * What located a visitor as one number of 24 bits, small enough to be kept with each request.
 * @param dataSet the one that answered for the address; only asked for where `basis` is `address`.
 */
export function geoSourceNumber(basis: GeoBasis, dataSet: GeoDataSet | null): number {
  if (basis !== "address" || dataSet === null) return Math.max(1, bases.indexOf(basis));
  const kind = firstKind + Math.max(0, named.indexOf(dataSet.name as (typeof named)[number]));
  // A database may say that it is older than all time.
  return Math.max(0, dayNumber(Date.parse(dataSet.date))) * kinds + kind;
}

/** Reads a `geoSourceNumber`; null for a number that is none. */
export function geoSourceOf(number: number): GeoSource | null {
  if (number < kinds) {
    const basis = bases[number];
    if (basis === undefined || basis === "address") return null;
    return { basis, name: null, date: null };
  }
  const name = named[(number % kinds) - firstKind];
  if (name === undefined) return null;
  return { basis: "address", name: name || null, date: dateOfDay(Math.floor(number / kinds)) };
}

/** A source as it is told, with the age of its data in days at the time of the request. */
export type ToldGeoSource = {
  basis: GeoBasis;
  source: string | null;
  date: string | null;
  ageDays: number | null;
};

/**
 * Tells what located a visitor; null: that is not kept.
 * @param at when the request was made, milliseconds since the epoch.
 * @param loaded the data sets that answer now: one of the same day is the operator's own whose name is not kept.
 */
export function tellGeoSource(
  number: number | null,
  at: number,
  loaded: readonly GeoDataSet[],
): ToldGeoSource | null {
  const found = number === null ? null : geoSourceOf(number);
  if (found === null) return null;
  const { basis, date } = found;
  const own = loaded.find((one) => one.date === date && !named.includes(one.name as (typeof named)[number]));
  return {
    basis,
    source: found.name ?? own?.name ?? null,
    date,
    ageDays: date === null ? null : dataAgeDays(date, at),
  };
}
