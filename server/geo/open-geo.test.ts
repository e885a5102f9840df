import fc from "fast-check";
import geoip from "geoip-lite";
import { expect, test, vi } from "vitest";
import { isCountry, isRegion } from "./iso-codes.ts";
import { openGeo } from "./open-geo.ts";

const geo = openGeo();
const nowhere = { country: "ZZ", region: "", eu: false, source: "none" };

test.each([
  ["8.8.8.8", "US", false],
  ["::ffff:8.8.8.8", "US", false],
  ["::ffff:808:808", "US", false],
  ["0:0:0:0:0:ffff:8.8.8.8", "US", false],
  ["2001:4860:4860::8888", "US", false],
  ["2001:4860:4860:0:0:0:0:8888", "US", false],
  ["81.2.69.160", "GB", false],
  ["2a02:c7f::1", "GB", false],
  ["2001:67c:2e8:22::c100:68b", "CZ", true],
])("the public address %s is in %s, in the EU: %s", (address, country, eu) => {
  expect(geo.locate(address)).toMatchObject({ country, eu, source: "geoip" });
});

test.each([
  "127.0.0.1",
  "::1",
  "::ffff:127.0.0.1",
  "10.1.2.3",
  "172.31.0.1",
  "192.168.1.1",
  "::ffff:192.168.1.1",
  "169.254.1.1",
  "100.64.0.1",
  "0.0.0.0",
  "255.255.255.255",
  "224.0.0.1",
  "203.0.113.1",
  "2001:db8::1",
  "fe80::1",
  "fe80::1%eth0",
  "2001:4860:4860::8888%eth0",
  "2001:4860::%a:b:c:d:e:f:0:1:2",
  "fd00::1",
  "ff02::1",
  "::",
  "",
  "garbage",
  "8.8.8",
  "8.8.8.8.8",
  "8.8.8.8:80",
  "08.8.8.8",
  "134744072",
  "[2001:4860:4860::8888]",
  " 8.8.8.8",
])("%j is nowhere", (address) => {
  expect(geo.locate(address)).toEqual(nowhere);
});

const someAddress = fc.oneof(
  fc.ipV4(),
  fc.ipV4Extended(),
  fc.ipV6(),
  fc.ipV4().map((address) => `::ffff:${address}`),
  fc.ipV6().map((address) => `${address}%zone`),
  fc.stringMatching(/^[0-9a-f:.%]{0,45}$/),
  fc.string(),
);

test("10,000 addresses and other texts are placed in ISO codes or nowhere", () => {
  let placed = 0;
  fc.assert(
    fc.property(someAddress, (address) => {
      const { country, region, eu, source } = geo.locate(address);
      if (source === "none") {
        expect({ country, region, eu, source }).toEqual(nowhere);
        return;
      }
      placed += 1;
      expect(isCountry(country)).toBe(true);
      if (region !== "") expect(isRegion(`${country}-${region}`)).toBe(true);
    }),
    { numRuns: 10_000 },
  );
  expect(placed).toBeGreaterThan(1_000);
});

test("the data is not watched for changes", () => {
  const watch = vi.spyOn(geoip, "startWatchingDataUpdate");
  openGeo().locate("8.8.8.8");
  expect(watch).not.toHaveBeenCalled();
  watch.mockRestore();
});
