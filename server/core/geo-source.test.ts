import { geoBases } from "@offers/contract/words";
import { expect, test } from "vitest";
import { geoSourceNumber, geoSourceOf, tellGeoSource } from "./geo-source.ts";

const own = { name: "acme-city", date: "2026-10-01" };

test.each([
  ["a bundled set", { name: "geoip-lite", date: "2019-04-02" }, "geoip-lite", "2019-04-02"],
  [
    "the newest one",
    { name: "geo-whois-asn-country", date: "2026-11-15" },
    "geo-whois-asn-country",
    "2026-11-15",
  ],
  ["the operator's, whose name is not kept", own, null, "2026-10-01"],
])("%s is one number of 24 bits", (_, dataSet, name, date) => {
  const number = geoSourceNumber("address", dataSet);
  expect(number).toBeLessThan(2 ** 24);
  expect(geoSourceOf(number)).toEqual({ basis: "address", name, date });
});

test("numbers that are kept mean what they meant, whatever the order of the contract's list", () => {
  const bases = (["hint", "simulated", "none"] as const).map((basis) => geoSourceNumber(basis, null));
  expect(bases).toEqual([1, 2, 3]);
  const names = ["acme-city", "geo-whois-asn-country", "iptoasn-country", "geoip-lite"];
  const numbers = names.map((name) => geoSourceNumber("address", { name, date: "1970-01-02" }));
  expect(numbers).toEqual([20, 21, 22, 23]);
});

test("what no data set has said is a number of its own", () => {
  const others = geoBases.filter((basis) => basis !== "address");
  expect(new Set(others.map((basis) => geoSourceNumber(basis, null))).size).toBe(others.length);
  for (const basis of others) {
    expect(geoSourceOf(geoSourceNumber(basis, null))).toEqual({ basis, name: null, date: null });
  }
});

test.each([0, 15, 16 * 20_000 + 15])("%d is none", (number) => {
  expect(geoSourceOf(number)).toBeNull();
});

test("data of before all time is no failure", () => {
  expect(geoSourceNumber("address", { name: "odd", date: "1901-01-01" })).toBeGreaterThanOrEqual(0);
});

test.each([
  ["its age is that of the request's time", geoSourceNumber("address", own), [own], "acme-city", 50],
  ["a database that was replaced has no name any more", geoSourceNumber("address", own), [], null, 50],
  ["a hint has no data", geoSourceNumber("hint", null), [own], null, null],
])("%s", (_, number, loaded, source, ageDays) => {
  expect(tellGeoSource(number, Date.parse("2026-11-20T12:00:00Z"), loaded)).toMatchObject({
    source,
    ageDays,
  });
});

test("what is not kept is null", () => {
  expect(tellGeoSource(null, 0, [own])).toBeNull();
});
