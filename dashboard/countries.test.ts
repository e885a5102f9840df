import { expect, test } from "vitest";
import { placeName, readPlaces } from "./countries.ts";

test.each([
  ["de", ["DE"]],
  ["Germany, France", ["DE", "FR"]],
  ["uk", ["GB"]],
  ["us-nj,, AT ", ["US-NJ", "AT"]],
])("%s means %j", (text, chips) => {
  expect(readPlaces(text)).toEqual({ chips });
});

test.each(["Atlantis", "ZZ", "QQ-1", "DE, Atlantis"])("%s is refused with the word that is wrong", (text) => {
  expect(readPlaces(text)).toEqual({ wrong: expect.stringMatching(/^(Atlantis|ZZ|QQ-1) is no/) });
});

test("a region is told with its country", () => {
  expect([placeName("US-NJ"), placeName("DE"), placeName("*")]).toEqual([
    "United States · NJ",
    "Germany",
    "Everywhere else",
  ]);
});
