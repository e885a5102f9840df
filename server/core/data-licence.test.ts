import { expect, test } from "vitest";
import { attributionOf } from "./data-licence.ts";

test.each([
  ["geo-whois-asn-country", "https://www.nro.net"],
  ["iptoasn-country", "https://iptoasn.com"],
  ["geoip-lite", "https://www.maxmind.com"],
  ["GeoLite2-City", "https://www.maxmind.com"],
  ["GeoIP2-Country", "https://www.maxmind.com"],
  ["DBIP-City-Lite", "https://db-ip.com"],
  ["ipinfo generic_country.mmdb", "https://ipinfo.io"],
  ["IP2LITE-Country", "https://lite.ip2location.com"],
  ["IP2Location-DB3", "https://lite.ip2location.com"],
])("%s is attributed to %s", (name, url) => {
  expect(attributionOf(name)?.url).toBe(url);
});

test.each(["", "city ipv4", "my own"])("of %j nothing is known", (name) => {
  expect(attributionOf(name)).toBeNull();
});
