import { iso31661, iso31662 } from "iso-3166";

/**
 * Kosovo. ISO 3166-1 leaves `XK` to whoever needs it, and for Kosovo the European Union, CLDR and every location
 * database need it: a place that has visitors must have a name.
 */
const kosovo = "XK";

/** The counties of Norway since 2024-01-01, which the list's package does not know yet: code and name. */
const newCounties: ReadonlyMap<string, string> = new Map([
  ["NO-31", "Østfold"],
  ["NO-32", "Akershus"],
  ["NO-33", "Buskerud"],
  ["NO-39", "Vestfold"],
  ["NO-40", "Telemark"],
  ["NO-55", "Troms"],
  ["NO-56", "Finnmark"],
]);
/** Viken, Vestfold og Telemark, Troms og Finnmark: divided on that day. */
const dividedCounties: ReadonlySet<string> = new Set(["NO-30", "NO-38", "NO-54"]);

const countries: ReadonlySet<string> = new Set([...iso31661.map(({ alpha2 }) => alpha2), kosovo]);
const regions: ReadonlyMap<string, string> = new Map([
  ...iso31662.map(({ code, name }) => [code, name] as const).filter(([code]) => !dividedCounties.has(code)),
  ...newCounties,
]);

/** Whether ISO 3166-1 assigns this two-letter code, in capitals, or it is Kosovo's. `ZZ` and `UK` are not assigned. */
export function isCountry(code: string): boolean {
  return countries.has(code);
}

/** Whether ISO 3166-2 lists this subdivision today, in capitals and with its country: `US-NJ`. */
export function isRegion(code: string): boolean {
  return regions.has(code);
}

/** Every subdivision of today by its code, with the name that ISO 3166-2 gives it. */
export function regionsOfToday(): ReadonlyMap<string, string> {
  return regions;
}

const parts: ReadonlySet<string> = new Set(
  iso31662.filter(({ parent }) => parent.includes("-")).map(({ code }) => code),
);

/** Whether a subdivision is a part of another one, as `ES-M` is of `ES-MD`. */
export function isPart(code: string): boolean {
  return parts.has(code);
}
