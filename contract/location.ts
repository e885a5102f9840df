import { z } from "zod";

/** ISO 3166-1 alpha-2 in either case; the parsed value is in upper case. */
export const countryCode = z
  .string()
  .regex(/^[A-Za-z]{2}$/, "must be a two-letter ISO 3166-1 country code such as DE")
  .meta({ maxLength: 2 })
  .transform((code) => code.toUpperCase());

/** ISO 3166-2 subdivision, bare (`NJ`) or with its country (`US-NJ`), in upper case: `regionWithin` takes that off. */
export const regionCode = z
  .string()
  .regex(/^([A-Za-z]{2}-)?[A-Za-z0-9]{1,3}$/, "must be an ISO 3166-2 subdivision code such as NJ or US-NJ")
  .meta({ maxLength: 6 })
  .transform((code) => code.toUpperCase());

/** A region as it is kept beside its country, `NJ` for `NJ` and for `US-NJ`; null where it names another country. */
export function regionWithin(country: string, region: string): string | null {
  if (!region.includes("-")) return region;
  return region.startsWith(`${country}-`) ? region.slice(country.length + 1) : null;
}

/** A country (`DE`) or one of its regions (`US-NJ`), in upper case. */
export const geoEntry = z
  .string()
  .regex(/^[A-Za-z]{2}(-[A-Za-z0-9]{1,3})?$/, "must be a country such as DE or a region such as US-NJ")
  .transform((entry) => entry.toUpperCase());

/** Where an offer may be shown: entries, or `["*"]` for anywhere. */
export const geoCoverage = z
  .array(z.union([z.literal("*"), geoEntry], "must be a country such as DE, a region such as US-NJ, or *"))
  .min(1, "must name at least one country, region or *")
  .max(300);

/** A resolved location. */
export const location = z.object({
  country: z.string().length(2).describe("ISO 3166-1 alpha-2; `ZZ`: the visitor cannot be located."),
  region: z.string().max(3).describe('ISO 3166-2 without its country, such as `NJ`; `""`: not known.'),
});
export type Location = z.infer<typeof location>;
