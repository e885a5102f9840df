/** What the licence of a data set wants to be said of it, and where it leads. */
export type Attribution = { text: string; url: string };

const maxmind = "https://www.maxmind.com";

/** By how a data set is called; the first that fits. */
const attributions: readonly (Attribution & { of: RegExp })[] = [
  {
    of: /^geo-whois-asn-country$/i,
    text: "Countries by addresses: geo-whois-asn-country of ip-location-db, made of data of the Number Resource Organization (CC BY 4.0)",
    url: "https://www.nro.net",
  },
  { of: /^iptoasn/i, text: "Countries by addresses: IPtoASN (PDDL 1.0)", url: "https://iptoasn.com" },
  {
    of: /^geoip-lite$/i,
    text: "This product includes GeoLite2 data created by MaxMind (CC BY-SA 4.0)",
    url: maxmind,
  },
  { of: /^geolite2/i, text: "This product includes GeoLite2 Data created by MaxMind", url: maxmind },
  { of: /^geoip2/i, text: "This product includes GeoIP2 data created by MaxMind", url: maxmind },
  { of: /^db-?ip/i, text: "IP Geolocation by DB-IP", url: "https://db-ip.com" },
  { of: /^ipinfo/i, text: "IP address data powered by IPinfo", url: "https://ipinfo.io" },
  {
    of: /^ip2l/i,
    text: "This site or product includes IP2Location LITE data",
    url: "https://lite.ip2location.com",
  },
];

/** The line for a data set by its name, or null for one of unknown origin, of which its operator knows the licence. */
export function attributionOf(name: string): Attribution | null {
  const found = attributions.find(({ of }) => of.test(name));
  return found ? { text: found.text, url: found.url } : null;
}
