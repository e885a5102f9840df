import { serviceBase } from "../wire/service-urls.ts";
import type { LoaderTag, Options, SimulatedLocation } from "../wire/visit.ts";

/**
 * Reads a tag's `data-` attributes, or what `init` was given; null when a key is missing.
 * Throws a TypeError when the tag has no usable `src`.
 */
export function readTag(scriptUrl: string, options: Options, pageQuery: string): LoaderTag | null {
  const text = (name: string) => String(options[name] || "");
  const pub = text("pub");
  const website = text("website");
  if (!pub || !website) return null;
  return {
    base: serviceBase(scriptUrl),
    pub,
    website,
    mode: text("mode") || "overlay",
    trigger: text("trigger"),
    language: text("lang"),
    simulated: simulatedLocation(text("devCountry"), text("devRegion"), new URLSearchParams(pageQuery)),
    options,
  };
}

/** Country and region come from one place, never a country of the tag with a region of the page. */
function simulatedLocation(country: string, region: string, query: URLSearchParams): SimulatedLocation {
  return country || region
    ? { country, region }
    : { country: query.get("dev-country") || "", region: query.get("dev-region") || "" };
}
