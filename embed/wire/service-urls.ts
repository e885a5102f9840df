import type { LoaderTag } from "./visit.ts";

/**
 * The service's base: the folder that the loader itself came from, with its slash.
 * Throws a TypeError when the tag has no usable `src`.
 */
export function serviceBase(scriptUrl: string): string {
  return new URL(".", scriptUrl).href;
}

/** GET /v1/decision. No header of ours goes with it, so no browser asks for permission first. */
export function decisionUrl({ base, pub, website, simulated }: LoaderTag): string {
  const query = new URLSearchParams({ pub, website });
  if (simulated.country) query.set("dev-country", simulated.country);
  if (simulated.region) query.set("dev-region", simulated.region);
  return `${base}v1/decision?${query}`;
}

export type OffersRequest = { website: string; requestId: string; country: string; region: string };

/** GET /v1/offers. */
export function offersUrl(base: string, { website, requestId, country, region }: OffersRequest): string {
  const query = new URLSearchParams({ website, requestId, country });
  if (region) query.set("region", region);
  return `${base}v1/offers?${query}`;
}
