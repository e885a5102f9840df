import { serviceBase } from "../wire/service-urls.ts";
import type { LoaderTag, Options } from "../wire/visit.ts";

/**
 * Reads a tag's `data-` attributes, or what `init` was given; null when a key is missing.
 * Throws a TypeError when the tag has no usable `src`.
 */
export function readTag(scriptUrl: string, options: Options, pageQuery: string): LoaderTag | null {
  const text = (name: string) => String(options[name] || "");
  const pub = text("pub");
  const website = text("website");
  if (!pub || !website) return null;
  // Country and region come from one place, never a country of the tag with a region of the page.
  const isOnTag = text("devCountry") || text("devRegion");
  const simulated = (option: string, name: string) =>
    isOnTag ? text(option) : new URLSearchParams(pageQuery).get(name) || "";
  return {
    base: serviceBase(scriptUrl),
    pub,
    website,
    mode: text("mode") || "overlay",
    simulated: {
      country: simulated("devCountry", "dev-country"),
      region: simulated("devRegion", "dev-region"),
    },
    options,
  };
}
