import type { DashWebsite } from "@offers/contract/dash/websites";
import { countryCodes } from "./countries.ts";

type GeoRule = Pick<DashWebsite["geoRule"], "mode" | "entries">;

/** Where many visitors come from. */
const usual = ["DE", "FR", "GB", "US"];

/** Whether a website's rule has visitors from a country or a region see offers in place of the page. */
export function seesOffers({ mode, entries }: GeoRule, place: string): boolean {
  const isNamed = entries.includes(place) || entries.includes(place.slice(0, 2));
  return isNamed === (mode === "blocklist");
}

/** From where a preview can be looked at: those that see offers first, if there is any such place at all. */
export function previewPlaces(rule: GeoRule): string[] {
  if (rule.mode === "blocklist" && rule.entries.length > 0) return [...rule.entries];
  const offered = usual.filter((place) => seesOffers(rule, place));
  const first =
    offered.length > 0 ? offered : countryCodes.filter((place) => seesOffers(rule, place)).slice(0, 1);
  return [...new Set([...first, ...rule.entries, ...usual])];
}
