import { expect, test } from "vitest";
import { decisionWords, noDecision } from "./decision-words.js";

const countryName = (code: string) => ({ DE: "Germany", FR: "France", US: "United States" })[code] ?? code;
const regionName = (code: string) => (code === "US-WA" ? "Washington" : code);
const words = (answer: object) => decisionWords(answer, countryName, regionName);

test("an allowed visitor", () => {
  expect(words({ allowed: true, country: "DE", region: "", requestId: "req_a" })).toEqual({
    verdict: "allowed",
    heading: "Allowed: the page as it is",
    text: expect.stringContaining("nothing but the tag"),
    facts: [
      ["Country", "Germany (DE)"],
      ["Region", "unknown"],
      ["Request id", "req_a"],
    ],
  });
});

test.each([
  ["FR", "", "country_not_allowed", "France is not on the list"],
  ["US", "WA", "region_not_allowed", "Washington is not on the list"],
  ["US", "", "region_not_allowed", "United States is not on the list"],
  ["FR", "", "country_blocked", "France is on the list of blocked"],
  ["US", "WA", "region_blocked", "Washington is on the list of blocked"],
  ["ZZ", "", "location_unknown", "place is unknown"],
  ["FR", "", "something_new", "does not know"],
])("a visitor from %s %s, blocked for %s", (country, region, reason, text) => {
  const { verdict, text: said, facts } = words({ allowed: false, country, region, blocked: { reason } });
  expect(verdict).toBe("blocked");
  expect(said).toContain(text);
  expect(facts).toContainEqual(["Reason", reason]);
});

test("regions are named where there is a name, and coded where there is none", () => {
  const region = (code: string) => words({ allowed: true, country: "US", region: code }).facts[1]?.[1];
  expect(region("WA")).toBe("Washington (US-WA)");
  expect(region("ID")).toBe("US-ID");
});

test("anything but a plain yes is not called allowed", () => {
  expect(words({ allowed: "true", country: 5 }).verdict).toBe("blocked");
  expect(noDecision("why").verdict).toBe("refused");
});

test("where offers stand in the page, nobody is called blocked", () => {
  const blocked = { allowed: false, country: "FR", region: "", blocked: { reason: "country_not_allowed" } };
  const { verdict, heading, facts } = decisionWords(blocked, countryName, regionName, "magazine");
  expect(verdict).toBe("allowed");
  expect(heading).toContain("within the page");
  expect(facts.map(([name]) => name)).toEqual(["Country", "Region", "Request id"]);
});
