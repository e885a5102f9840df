import { expect, test } from "vitest";
import { devLocationQuery, readDevLocation } from "./dev-location.ts";

const read = (query: string) => readDevLocation(new URLSearchParams(query));

test.each([
  ["", "", ""],
  ["dev-country=&dev-region=", "", ""],
  ["dev-country=DE", "DE", ""],
  ["dev-country=fr", "FR", ""],
  ["dev-country=ZZ", "ZZ", ""],
  ["dev-country=US&dev-region=US-NJ", "US", "US-NJ"],
  ["dev-country=us&dev-region=nj", "US", "NJ"],
  ["dev-country=GB&dev-region=GB-ENG&other=1", "GB", "GB-ENG"],
])("%s is a location", (query, country, region) => {
  expect(read(query)).toEqual({ ok: true, location: { country, region } });
});

test.each([
  ["three letters", "dev-country=DEU"],
  ["a digit", "dev-country=D1"],
  ["markup", "dev-country=%22%3E%3Cscript%3E"],
  ["a line break behind a code", "dev-country=DE%0A"],
  ["a space", "dev-country=%20DE"],
  ["a letter that only looks Latin", "dev-country=D%D0%95"],
  ["a letter that grows when it is put into upper case", "dev-country=%C3%9F"],
  ["a country twice", "dev-country=DE&dev-country=FR"],
  ["a region twice", "dev-country=US&dev-region=NJ&dev-region=NY"],
  ["a region alone", "dev-region=US-NJ"],
  ["a region of another country", "dev-country=FR&dev-region=US-NJ"],
  ["a region with a quote", "dev-country=US&dev-region=N%22"],
  ["a region that is too long", "dev-country=US&dev-region=NJNJ"],
])("%s is refused, and not repeated in the message", (_name, query) => {
  const reading = read(query);
  expect(reading.ok).toBe(false);
  expect(JSON.stringify(reading)).not.toMatch(/<script|DEU|NJNJ/);
});

test("a location becomes the query that it was read from", () => {
  expect(devLocationQuery({ country: "", region: "" })).toBe("");
  expect(devLocationQuery({ country: "DE", region: "" })).toBe("?dev-country=DE");
  expect(devLocationQuery({ country: "US", region: "US-NJ" })).toBe("?dev-country=US&dev-region=US-NJ");
});
