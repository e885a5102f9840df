import type { DashWebsite } from "@offers/contract/dash/websites";
import { placeName } from "./countries.ts";
import { formatList } from "./format.ts";

type GeoRule = DashWebsite["geoRule"];

/** The rule as one says it. */
export function ruleSentence({ mode, entries, unknownLocation }: GeoRule): string {
  const names = formatList(entries.map(placeName));
  const unknown = unknownLocation === "block" ? ", and so does whoever cannot be placed" : "";
  if (mode === "allowlist") {
    return entries.length === 0
      ? `Everybody sees offers${unknown}.`
      : `Visitors from ${names} see the page. Everybody else sees offers${unknown}.`;
  }
  if (entries.length === 0) {
    return unknownLocation === "block"
      ? "Everybody sees the page but whoever cannot be placed."
      : "Everybody sees the page.";
  }
  return `Visitors from ${names} see offers${unknown}. Everybody else sees the page.`;
}
