/** A location to simulate: upper case, `""` where none was chosen. `ZZ` stands for an unknown country. */
export type DevLocation = { country: string; region: string };

type DevLocationReading = { ok: true; location: DevLocation } | { ok: false; message: string };

/**
 * Reads `dev-country` and `dev-region` out of a page's query. The form is checked here, so that nothing
 * else reaches an attribute of the tag; whether a place of that code exists is for the service to say.
 */
export function readDevLocation(query: URLSearchParams): DevLocationReading {
  for (const name of ["dev-country", "dev-region"]) {
    if (query.getAll(name).length > 1) return refuse(`${name} was given more than once.`);
  }
  const givenCountry = query.get("dev-country") ?? "";
  const givenRegion = query.get("dev-region") ?? "";
  // The code is checked as it was given: upper case makes two letters out of one ß.
  if (givenCountry !== "" && !/^[A-Za-z]{2}$/.test(givenCountry)) {
    return refuse("dev-country must be a two-letter country code such as DE, or ZZ for an unknown one.");
  }
  if (givenRegion !== "" && !/^([A-Za-z]{2}-)?[A-Za-z0-9]{1,3}$/.test(givenRegion)) {
    return refuse("dev-region must be the code of a region such as US-NJ.");
  }
  const country = givenCountry.toUpperCase();
  const region = givenRegion.toUpperCase();
  if (region === "") return { ok: true, location: { country, region } };
  if (country === "") return refuse("dev-region needs the dev-country that it lies in.");
  if (region.includes("-") && !region.startsWith(`${country}-`)) {
    return refuse("dev-region must lie in dev-country.");
  }
  return { ok: true, location: { country, region } };
}

/** The same location as a query, with its question mark; `""` for the visitor's real address. */
export function devLocationQuery({ country, region }: DevLocation): string {
  if (country === "") return "";
  const query = new URLSearchParams({ "dev-country": country });
  if (region !== "") query.set("dev-region", region);
  return `?${query}`;
}

function refuse(message: string): DevLocationReading {
  return { ok: false, message };
}
