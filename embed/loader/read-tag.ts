import { serviceBase } from "../wire/service-urls.ts";
import type { LoaderTag, SimulatedLocation } from "../wire/visit.ts";

/**
 * Reads a tag's `data-` attributes; null when a key is missing.
 * Throws a TypeError when the tag has no usable `src`.
 */
export function readTag(scriptUrl: string, data: DOMStringMap, pageQuery: string): LoaderTag | null {
  const { pub, website } = data;
  if (!pub || !website) return null;
  return {
    base: serviceBase(scriptUrl),
    pub,
    website,
    mode: data.mode || "overlay",
    trigger: data.trigger || "",
    language: data.lang || "",
    simulated: simulatedLocation(data, new URLSearchParams(pageQuery)),
  };
}

/** Country and region come from one place, never a country of the tag with a region of the page. */
function simulatedLocation(data: DOMStringMap, query: URLSearchParams): SimulatedLocation {
  return data.devCountry || data.devRegion
    ? { country: data.devCountry || "", region: data.devRegion || "" }
    : { country: query.get("dev-country") || "", region: query.get("dev-region") || "" };
}
