import { iso31661, iso31662 } from "iso-3166";

const countries: ReadonlySet<string> = new Set(iso31661.map(({ alpha2 }) => alpha2));
const regions: ReadonlySet<string> = new Set(iso31662.map(({ code }) => code));

/** Whether ISO 3166-1 assigns this two-letter code, in capitals. `ZZ`, `UK` and `XK` are not assigned. */
export function isCountry(code: string): boolean {
  return countries.has(code);
}

/** Whether ISO 3166-2 lists this subdivision, in capitals and with its country: `US-NJ`. */
export function isRegion(code: string): boolean {
  return regions.has(code);
}
