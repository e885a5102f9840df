/** Countries whose people know their regions by the codes that the service has of them. */
const countriesOfCodes = ["US", "CA", "AU"];

/**
 * The country in the visitor's language, with its region's code where people know such codes; `""` for the unknown country,
 * which browsers name too.
 */
export function placeName(language: string, country: string, region: string): string {
  if (country === "ZZ") return "";
  try {
    const name = new Intl.DisplayNames([language], { type: "region" }).of(country) ?? "";
    return region && countriesOfCodes.includes(country) ? `${name} · ${region}` : name;
  } catch {
    return "";
  }
}
