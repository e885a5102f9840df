import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import geoip from "geoip-lite";
import ipaddr from "ipaddr.js";
import { afterAll, describe, expect, test } from "vitest";
import { createRegionReader } from "./current-region.ts";
import { placeOfGeoipLite } from "./geoip-lite-ranges.ts";
import { isCountry, isRegion } from "./iso-codes.ts";
import { locatedPlace, nowhere } from "./located-place.ts";
import { openGeo, rangesFile } from "./open-geo.ts";
import { makeRanges, type SourceRanges } from "./range-maker.ts";
import { encodeRanges } from "./ranges.ts";

const geo = openGeo();

test.each([
  ["8.8.8.8", "US", false],
  ["::ffff:8.8.8.8", "US", false],
  ["::ffff:808:808", "US", false],
  ["0:0:0:0:0:ffff:8.8.8.8", "US", false],
  ["2001:4860:4860::8888", "US", false],
  ["2001:4860:4860:0:0:0:0:8888", "US", false],
  ["81.2.69.160", "GB", false],
  ["2a02:c7f::1", "GB", false],
  ["2001:67c:2e8:22::c100:68b", "NL", true],
  ["2003:d0::1", "DE", true],
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

const regionOf = createRegionReader();

/** As the library answers, in codes of today, for what is an address of the public internet. */
function byLibrary(text: string): string {
  const address = ipaddr.process(text);
  const found = special.has(address.range()) ? null : geoip.lookup(address.toString());
  const { country, region } = locatedPlace(
    found ? placeOfGeoipLite(found, regionOf) : { country: "", region: "" },
  );
  return country === "ZZ" ? "" : region === "" ? country : `${country}-${region}`;
}

const special = new Set(
  "unspecified broadcast multicast linkLocal loopback carrierGradeNat private uniqueLocal reserved".split(
    " ",
  ),
);

test("100,000 addresses of IPv4 are where the library says, as far as geoip-lite is asked", () => {
  const random = seeded(4);
  const text = () => ipaddr.fromByteArray(Array.from({ length: 4 }, () => random(256))).toString();
  expect(differences(Array.from({ length: 100_000 }, text))).toEqual([]);
});

test("30,000 addresses of IPv6, most of them within what is allocated, are where the library says, as far as geoip-lite is asked", () => {
  const random = seeded(6);
  const heads = [
    0x2001, 0x2400, 0x2600, 0x2604, 0x2607, 0x2620, 0x2800, 0x2803, 0x2a00, 0x2a02, 0x2a10, 0x2c0f,
  ];
  const text = () => {
    const head = random(8) === 0 ? random(0x10000) : (heads[random(heads.length)] ?? 0);
    const groups = [head, ...Array.from({ length: 3 }, () => random(0x10000)), 0, 0, 0, random(0x10000)];
    return groups.map((group) => group.toString(16)).join(":");
  };
  expect(differences(Array.from({ length: 30_000 }, text))).toEqual([]);
});

function differences(addresses: readonly string[]) {
  return addresses.flatMap((address) => {
    const [ours, theirs] = [geo.said(address).at(-1), byLibrary(address)];
    return ours === theirs ? [] : [{ address, ours, theirs }];
  });
}

/** Numbers from 0 up to a limit, the same at every run (a linear congruential generator). */
function seeded(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

describe("a file that cannot be used is named, with what to do", () => {
  const directory = mkdtempSync(join(tmpdir(), "geo-"));
  afterAll(() => rmSync(directory, { recursive: true }));
  const whole = readFileSync(rangesFile);
  const none: SourceRanges = { name: "none", date: "2026-11-01", version: "1", v4: [], v6: [] };
  const nothingKnown = encodeRanges(makeRanges([none]));

  test.each([
    ["missing", null, /ENOENT/],
    ["empty", Buffer.alloc(0), /byte order/],
    ["of something else", Buffer.alloc(4096, 7), /byte order/],
    ["cut off", whole.subarray(0, whole.length - 2), /bytes, and \d+ are needed/],
    [
      "of another version",
      Buffer.concat([whole.subarray(0, 4), Buffer.alloc(4, 9), whole.subarray(8)]),
      /version/,
    ],
    ["made of nothing", Buffer.from(encodeRanges(makeRanges([]))), /no data set/],
    ["of no use", Buffer.from(nothingKnown), /places 8\.8\.8\.8 in ZZ/],
  ])("%s", (name, bytes, reason) => {
    const file = join(directory, name);
    if (bytes !== null) writeFileSync(file, bytes);
    expect(() => openGeo(file)).toThrow(reason);
    expect(() => openGeo(file)).toThrow(/npm run build/);
  });
});
