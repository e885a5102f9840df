import { readBooks } from "../../books.ts";
import { atLeast, type Check, equal } from "../../checks.ts";
import { type Answer, openHttpClient } from "../../http-client.ts";
import { visitorAt, visitPage } from "../../visitor.ts";
import { type DoorOptions, forEachOf, openDoor } from "./door.ts";
import { landing, openShop } from "./shops.ts";

/** What a link would lead to if it led anywhere else. */
const evil = "https://evil.example/";

/** By which redirectors are told where to go. */
const names = [
  "url",
  "redir_url",
  "redirect",
  "redirect_uri",
  "next",
  "to",
  "dest",
  "u",
  "location",
  "landingUrl",
];

const injections = [
  "%0d%0aX-Injected:%201",
  "%0aSet-Cookie:%20a=b",
  "%E5%98%8A%E5%98%8DX-Injected:1",
  "%00",
  "%5c%5cevil.example",
];

/** All that an answer of the hop may have; anything else was put there by the caller. */
const usualHeaders = new Set([
  ...[
    "request-id",
    "vary",
    "cache-control",
    "location",
    "content-length",
    "content-type",
    "date",
    "connection",
  ],
  ...["keep-alive", "referrer-policy", "x-robots-tag", "retry-after", "content-security-policy"],
  ...["cross-origin-resource-policy", "strict-transport-security", "x-content-type-options", "allow"],
  ...["transfer-encoding", "www-authenticate"],
]);

/** Follows altered tokens, and good ones beside every sign to elsewhere: each leads to the stored page or nowhere. */
export async function strangeLinks({
  engine,
  random,
  links,
}: DoorOptions & { links: number }): Promise<Check[]> {
  const door = await openDoor({ engine });
  const { service } = door;
  const client = openHttpClient(service.url, 32, { keepAlive: false });
  try {
    const { website } = await openShop(service, "a");
    const visitor = visitorAt(1, website);
    const { decision, offers } = await visitPage(client, website, visitor);
    const tokens = offers.map(({ url }) => new URL(url).searchParams.get("t") ?? "");
    const [token = ""] = tokens;
    const below = (most: number): number => Math.floor(random() * most);
    const oneOf = <T>(list: readonly T[]): T => list[below(list.length)] as T;
    const sign = (): string =>
      `${oneOf(names)}=${oneOf([encodeURIComponent(evil), "//evil.example", "javascript:1"])}`;
    const makers: (() => { query: string; headers?: Record<string, string>; isGood: boolean })[] = [
      () => ({ query: `t=${alter(token, below)}`, isGood: false }),
      () => ({ query: `t=${alter(token, below)}&${sign()}`, isGood: false }),
      () => ({ query: `t=${encodeURIComponent(evil)}`, isGood: false }),
      () => ({ query: `t=${decision.requestId}`, isGood: false }),
      () => ({ query: `t=${token}${oneOf(injections)}`, isGood: false }),
      () => ({ query: `t=${token}&t=${oneOf(tokens)}`, isGood: false }),
      () => ({ query: `t[]=${token}`, isGood: false }),
      () => ({ query: `t=${token}&${sign()}&${sign()}`, isGood: true }),
      () => ({ query: `${sign()}&t=${token}&click_id=${oneOf(injections)}`, isGood: true }),
      () => ({ query: `t=${token}&x=${oneOf(injections)}`, isGood: true }),
      () => ({
        query: `t=${token}`,
        headers: oneOf<Record<string, string>>([
          { host: "evil.example", "x-forwarded-host": "evil.example", "x-forwarded-proto": "javascript" },
          { forwarded: "host=evil.example", "x-original-url": evil, "x-rewrite-url": evil },
          { referer: evil, origin: "https://evil.example" },
        ]),
        isGood: true,
      }),
    ];
    const calls = Array.from(
      { length: links },
      (_, at) => makers[at % makers.length]?.() ?? { query: "", isGood: false },
    );
    const elsewhere: string[] = [];
    const injected: string[] = [];
    const wrong: string[] = [];
    const { origin: _, ...own } = visitor.headers;
    await forEachOf(calls, 32, async ({ query, headers, isGood }) => {
      const answer = await client.get(`/v1/r?${query}`, { ...own, ...headers });
      const { location } = answer.headers;
      if (location !== undefined && !leadsToLanding(location)) elsewhere.push(`${query}: ${location}`);
      const more = Object.keys(answer.headers).filter((name) => !usualHeaders.has(name));
      if (more.length > 0 || isSplit(answer)) injected.push(`${query}: ${more}`);
      if (answer.status !== (isGood ? 302 : 400)) wrong.push(`${query}: ${answer.status}`);
    });
    const books = await readBooks(service);
    return [
      atLeast("links followed", calls.length, links),
      equal("redirects to anywhere but the stored page", elsewhere.slice(0, 3).join("; "), ""),
      equal("answers with a header that the caller put there", injected.slice(0, 3).join("; "), ""),
      equal("altered links not refused, or good ones not followed", wrong.slice(0, 3).join("; "), ""),
      // One link, one visitor: whatever stood beside its token.
      equal(
        "clicks billed by all of that",
        books.billedClicks <= 1 ? "one or none" : books.billedClicks,
        "one or none",
      ),
    ];
  } finally {
    client.close();
    await door.stop();
  }
}

/** A few of its characters are others, or one is gone or there twice. */
const alter = (token: string, below: (most: number) => number): string => {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~%2B";
  let text = token;
  for (let times = 1 + below(3); times > 0; times -= 1) {
    const at = below(text.length);
    const put = [alphabet[below(alphabet.length)] ?? "", "", (text[at] ?? "").repeat(2)][below(3)] ?? "";
    text = text.slice(0, at) + put + text.slice(at + 1);
  }
  return text === token || decodes(text, token) ? `${token}A` : text;
};

/** A percent sign may have put the character back that it took the place of. */
const decodes = (text: string, token: string): boolean => {
  try {
    return decodeURIComponent(text) === token;
  } catch {
    return false;
  }
};

/** `{click_id}` is 22 characters of base64url. */
const leadsToLanding = (location: string): boolean =>
  location.startsWith(landing) && /^[A-Za-z0-9_-]{22}$/.test(location.slice(landing.length));

const isSplit = ({ headers }: Answer): boolean =>
  Object.values(headers).some((value) => /[\r\n\0]/.test(String(value)));
