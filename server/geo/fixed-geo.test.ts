import { expect, test } from "vitest";
import { createFixedGeo } from "./fixed-geo.ts";

const geo = createFixedGeo();

test.each([
  ["203.0.113.0", "DE", "", true],
  ["203.0.113.255", "DE", "", true],
  ["198.51.100.7", "US", "NJ", false],
  ["2001:db8:1::1", "FR", "", true],
  ["2001:db8:1:ffff:ffff:ffff:ffff:ffff", "FR", "", true],
  ["::ffff:203.0.113.9", "DE", "", true],
  ["::ffff:cb00:7109", "DE", "", true],
])("%s is in %s %s", (address, country, region, eu) => {
  expect(geo.locate(address)).toEqual({ country, region, eu, source: "geoip" });
});

test.each(["203.0.114.0", "2001:db8:2::1", "127.0.0.1", "::1", "8.8.8.8", "", "garbage", "203.0.113.1:80"])(
  "%j is nowhere",
  (address) => {
    expect(geo.locate(address)).toEqual({ country: "ZZ", region: "", eu: false, source: "none" });
  },
);

test("other places can be given", () => {
  const other = createFixedGeo([{ range: "192.0.2.0/25", country: "UK", region: "SCT" }]);
  expect(other.locate("192.0.2.1")).toEqual({ country: "GB", region: "SCT", eu: false, source: "geoip" });
  expect(other.locate("192.0.2.200").country).toBe("ZZ");
  expect(other.locate("203.0.113.1").country).toBe("ZZ");
});
