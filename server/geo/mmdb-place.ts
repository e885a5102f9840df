import type { RegionReader } from "./current-region.ts";
import type { NamedPlace } from "./range-maker.ts";

/** What is on record of a network, in the layout of its maker. */
type Fields = Readonly<Record<string, unknown>>;

/**
 * Country and region out of a record of a location database, whoever made it. MaxMind, DB-IP and IP2Location nest
 * them (`country.iso_code`, `subdivisions`), IPinfo and the packages of ip-location-db keep them flat. A country
 * that is where a network is registered, and not where it is used, is not taken.
 */
export function placeInRecord(record: unknown, regionOf: RegionReader): NamedPlace {
  const fields = fieldsOf(record);
  const country = countryIn(fields);
  if (country === "") return { country, region: "" };
  const city = textIn(fields, "city") || nameIn(fieldsOf(fields.city));
  for (const text of regionsIn(fields)) {
    const region = regionOf(country, text, city);
    if (region !== "") return { country, region };
  }
  return { country, region: "" };
}

/** IPinfo writes the name where others write the code, and the code beside it. */
function countryIn(fields: Fields): string {
  const nested = textIn(fieldsOf(fields.country), "iso_code");
  const flat = ["country_code", "country_short", "country"].map((name) => textIn(fields, name));
  return [nested, ...flat].find((text) => /^[A-Za-z]{2}$/.test(text))?.toUpperCase() ?? "";
}

/** In the order in which they are believed: the largest subdivision first, its code before its name. */
function regionsIn(fields: Fields): string[] {
  const nested = Array.isArray(fields.subdivisions) ? fields.subdivisions.map(fieldsOf) : [];
  return [
    ...nested.flatMap((one) => [textIn(one, "iso_code"), nameIn(one)]),
    ...["region_code", "region_iso_code", "region", "region_name", "state1", "state", "stateprov"].map(
      (name) => textIn(fields, name),
    ),
  ].filter((text) => text !== "");
}

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

function textIn(fields: Fields, name: string): string {
  const value = fields[name];
  return typeof value === "string" ? value.trim() : "";
}

function nameIn(fields: Fields): string {
  return textIn(fieldsOf(fields.names), "en") || textIn(fields, "name");
}
