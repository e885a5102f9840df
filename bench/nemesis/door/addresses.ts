import { addressClaims } from "../../../server/testing/odd-claims.ts";
import { issueKeyTo } from "../../api-key.ts";
import { readBooks } from "../../books.ts";
import { everybodyBlocked, type MadeWebsite, makeCatalogue } from "../../catalogue.ts";
import { atLeast, type Check, equal } from "../../checks.ts";
import { type AnyMethodClient, openHttpClient } from "../../http-client.ts";
import { untilMinuteHas } from "../../until-minute-has.ts";
import { decisionPath, followLink, readingMs, visitorAt } from "../../visitor.ts";
import { type DoorOptions, openDoor } from "./door.ts";
import { landing } from "./shops.ts";

/** In the United States, by any location data. */
const claimed = "8.8.8.8";
/** In Germany. What trusted proxies stand at is in no data. */
const real = "141.20.5.188";
const proxy = "10.0.0.1";

type Headers = Record<string, string | string[]>;

/**
 * What the caller writes right before the entries of the trusted proxies is an address, in every form in which one is read: what
 * believes one entry too many believes these.
 */
const oneFurther: readonly Headers[] = [
  { "X-Forwarded-For": claimed },
  { "X-Forwarded-For": `${claimed}:443` },
  { "X-Forwarded-For": `nonsense, ${claimed}` },
  { "X-Forwarded-For": "[2001:db8:1::7]:443" },
  { "X-Forwarded-For": ["203.0.113.7", claimed] },
];

/** The claims of one number of proxies take a few seconds, and a limit's window must not end meanwhile. */
const neededMs = 15_000;

/** Claims of every kind, at 0, 1 and 2 trusted proxies: none may change where a caller is, nor which bucket it is counted in. */
export async function claimedAddresses({
  engine,
  hops: all,
}: Pick<DoorOptions, "engine"> & { hops: readonly number[] }): Promise<Check[]> {
  const moved: string[] = [];
  const otherBucket: string[] = [];
  const otherPlace: string[] = [];
  let tried = 0;
  for (const hops of all) {
    const door = await openDoor({ engine }, { TRUST_PROXY_HOPS: String(hops), RATE_LIMIT_FACTOR: "1000" });
    const client = openHttpClient(door.service.url, 1, { keepAlive: false });
    try {
      const { websites } = await makeCatalogue(door.service, {
        websites: [{ name: "Shop", origins: ["https://shop-a.example"], geo: everybodyBlocked }],
        offers: [],
      });
      const [website] = websites;
      if (website === undefined) throw new Error("the catalogue has no website");
      if (engine === "postgres") await untilMinuteHas(neededMs);
      const honest = await look(client, website, behindProxies({}, hops));
      const expected = { ip: hops === 0 ? "127.0.0.1" : real, country: hops === 0 ? "ZZ" : "DE" };
      if (honest.ip !== expected.ip || honest.country !== expected.country) {
        moved.push(`an honest caller at ${hops} hops is ${honest.ip} in ${honest.country}`);
      }
      let left = honest.left;
      for (const claim of [...addressClaims(claimed), ...oneFurther]) {
        const name = `${JSON.stringify(claim)} at ${hops} hops`;
        const seen = await look(client, website, behindProxies(claim, hops));
        tried += 1;
        if (seen.ip !== expected.ip || seen.country !== expected.country) moved.push(`${name}: ${seen.ip}`);
        if (seen.decided !== honest.decided) otherPlace.push(`${name}: ${seen.decided}`);
        if (seen.left !== left - 1) otherBucket.push(`${name}: ${left} then ${seen.left}`);
        left = seen.left;
      }
    } finally {
      client.close();
      await door.stop();
    }
  }
  return [
    atLeast("claims tried", tried, 30 * all.length),
    equal("claims that moved whats-my-ip", moved.slice(0, 3).join("; "), ""),
    equal("claims that moved a decision", otherPlace.slice(0, 3).join("; "), ""),
    equal("claims that changed the limit's bucket", otherBucket.slice(0, 3).join("; "), ""),
  ];
}

/**
 * What reaches the service of a caller's claim: each trusted proxy has written whom it was called by behind it, or, where the
 * header stood there several times, in a line of its own.
 */
const behindProxies = (claim: Headers, hops: number): Headers => {
  const entries = [real, proxy].slice(0, hops);
  if (entries.length === 0) return claim;
  const forwarded = claim["X-Forwarded-For"];
  if (Array.isArray(forwarded)) return { ...claim, "X-Forwarded-For": [...forwarded, entries.join(", ")] };
  const before = forwarded === undefined ? [] : [forwarded];
  return { ...claim, "X-Forwarded-For": [...before, ...entries].join(", ") };
};

const look = async (client: AnyMethodClient, website: MadeWebsite, headers: Headers) => {
  const answer = await client.send("GET", "/v1/whats-my-ip", headers);
  const { ip, country } = JSON.parse(answer.body) as { ip: string; country: string };
  const decision = await client.send("GET", decisionPath(website), { ...headers, origin: website.origin });
  const { country: decided } = JSON.parse(decision.body) as { country: string };
  return { ip, country, decided, left: Number(/;r=(\d+)/.exec(String(answer.headers.ratelimit))?.[1]) };
};

/** Ways to ask for another place. The first is how a development website is asked. */
const spellings: readonly { query?: string; headers?: Record<string, string> }[] = [
  { query: "dev-country=US" },
  { query: "dev-country=us&dev-region=NJ" },
  { query: "DEV-COUNTRY=US" },
  { query: "dev%2Dcountry=US" },
  { query: "dev-country=%55S" },
  { query: "dev-country[]=US" },
  { query: "dev_country=US&devCountry=US" },
  { query: "dev-country=US&development=true" },
  { query: "dev-country=US&test=1&traffic=test" },
  { query: "dev-country=ZZ" },
  { query: "country=US&region=NJ" },
  { query: "mode=&dev-country=+US" },
  { headers: { "Dev-Country": "US" } },
  { headers: { "X-Dev-Country": "US", "X-Country": "US" } },
  { headers: { cookie: "dev-country=US" } },
  { headers: { referer: "https://live.example/?dev-country=US" } },
];

/** Asks live websites for a simulated place, and a development website, all of whose traffic costs nothing. */
export async function simulatedPlaces({ engine }: Pick<DoorOptions, "engine">): Promise<Check[]> {
  const door = await openDoor({ engine });
  const { service } = door;
  const client = openHttpClient(service.url, 4, { keepAlive: false });
  try {
    const blocked = { mode: "blocklist", entries: ["US"], unknown: "block" } as const;
    const { websites, publisherId } = await makeCatalogue(service, {
      websites: [
        { name: "Live", origins: ["https://live.example"], geo: blocked },
        { name: "Development", origins: ["https://dev.example"], geo: everybodyBlocked, development: true },
      ],
      offers: [
        { brand: "Anchor", landingUrl: `${landing}{click_id}` },
        { brand: "Buoy", landingUrl: `${landing}{click_id}`, payoutModel: "CPM" },
      ],
    });
    const [live, development] = websites;
    if (live === undefined || development === undefined) throw new Error("the catalogue lacks a website");
    const ask = async (website: MadeWebsite, { query, headers }: (typeof spellings)[number]) => {
      const path = decisionPath(website) + (query === undefined ? "" : `&${query}`);
      const given = { ...visitorAt(1, website).headers, "x-forwarded-for": real, ...headers };
      const { status, body } = await client.get(path, given);
      return { status, told: body.replace(/"requestId":"[^"]*",?/, ""), body };
    };
    const plain = await ask(live, {});
    const obeyed: string[] = [];
    for (const spelling of spellings) {
      const { status, told } = await ask(live, spelling);
      if (status !== 400 && told !== plain.told)
        obeyed.push(`${JSON.stringify(spelling)}: ${told.slice(0, 80)}`);
    }
    const [first] = spellings;
    const simulated = await ask(development, first ?? {});
    const { requestId, country } = JSON.parse(simulated.body) as { requestId: string; country: string };
    const visitor = { headers: { ...visitorAt(1, development).headers, "x-forwarded-for": real } };
    const offers = await client.get(
      `/v1/offers?website=${development.websiteKey}&requestId=${requestId}&country=${country}`,
      visitor.headers,
    );
    const { premium, standard } = JSON.parse(offers.body) as Record<string, { id: string; url: string }[]>;
    const handed = [...(premium ?? []), ...(standard ?? [])];
    await new Promise((resolve) => setTimeout(resolve, readingMs));
    for (const { id, url } of handed) {
      const event = JSON.stringify({ requestId, offerId: id });
      await client.post("/v1/events/impression", event, { ...visitor.headers, "content-type": "text/plain" });
      await followLink(client, visitor, url);
    }
    const books = await readBooks(service);
    const { key } = await issueKeyTo(service, publisherId);
    const answer = await client.get("/v1/reports/aggregate?traffic=live", key);
    const report = JSON.parse(answer.body) as { items: { websiteKey: string }[] };
    const reported = report.items.filter(({ websiteKey }) => websiteKey === development.websiteKey);
    return [
      atLeast("spellings of a simulated place", spellings.length, 12),
      equal("spellings that a live website obeyed", obeyed.slice(0, 3).join("; "), ""),
      equal("where a development website's visitor is", country, "US"),
      equal("offers handed out there, and followed", handed.length, 2),
      equal("lines of the ledger after it", books.ledgerLines + books.billedClicks, 0),
      equal("rows of it in the live report", reported.length, 0),
    ];
  } finally {
    client.close();
    await door.stop();
  }
}
