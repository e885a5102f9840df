import type { DecisionAnswer } from "@offers/contract/decision";
import type { OffersAnswer, ServedOffer } from "@offers/contract/offers";
import { seededRandom } from "../../server/core/seeded-random.ts";
import type { MadeWebsite } from "../catalogue.ts";
import { goodStatus, mixedShares, type Path, paths, type Traffic, type World } from "./plan.ts";

/** Somebody at an address of their own who looks at one website. */
type Visitor = { website: MadeWebsite; address: string; userAgent: string };
/** What a visit knows after its decision, and after its offers. */
type Decided = { visitor: Visitor; body: string };
type Shown = { visitor: Visitor; body: string; answer: OffersAnswer | null; seen: number };

export type VisitCall = { path: Path | "yardstick"; text: string; wantsBody: boolean; visitor: Visitor };

export type Visits = {
  /** The next call; throws when no answer has yet come that it could follow. */
  next: (traffic: Traffic) => VisitCall;
  /** Takes an answer in and says how many events it stands for; null when it is not what the path answers. */
  answered: (call: VisitCall, status: number, body: string) => number | null;
};

/** Ordinary browsers, as a site's log has them. */
const userAgents = [
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/144.0.0.0 Safari/537.36",
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/144.0.0.0 Safari/537.36",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1",
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:146.0) Gecko/20100101 Firefox/146.0",
];

/** Visits that nobody followed up are forgotten beyond these, so that a long run of decisions stays small. */
const most = 60_000;
/** Of mixed traffic no more are kept than these: what is kept for long is copied by V8, and the generator late by it. */
const mostOfMixed = 5000;

/**
 * Plays visitors: each is at an address that nobody used before, on a random website, and what they do next follows
 * from what they were answered. Every answer of offers is asked for once, every impression and click is a first one.
 */
export function createVisits(world: World, seed: number): Visits {
  const random = seededRandom(seed);
  const decided = createLine<Decided>();
  const toBeSeen = createLine<Shown>();
  const toBeClicked = createLine<Shown>();
  let arrivals = 0;
  let isMixed = false;

  const hasRoom = (line: { waiting: () => number }): boolean => !isMixed || line.waiting() < mostOfMixed;
  const arrive = (): Visitor => {
    const number = arrivals++;
    const website = world.websites[Math.floor(random() * world.websites.length)];
    if (website === undefined) throw new Error("the world has no website");
    return { website, address: addressAt(world, number), userAgent: userAgents[number % 4] ?? "" };
  };

  const call: Record<Path | "yardstick", () => VisitCall | null> = {
    yardstick: () => {
      const visitor = arrive();
      return {
        path: "yardstick",
        text: requestText("GET", "/", pageHeaders(visitor)),
        wantsBody: false,
        visitor,
      };
    },
    decision: () => {
      const visitor = arrive();
      const { publicKey, websiteKey } = visitor.website;
      const target = `/v1/decision?pub=${publicKey}&website=${websiteKey}`;
      return {
        path: "decision",
        text: requestText("GET", target, pageHeaders(visitor)),
        wantsBody: hasRoom(decided),
        visitor,
      };
    },
    offers: () => {
      const visit = decided.take();
      if (visit === null) return null;
      const { visitor, body } = visit;
      const { requestId, country } = JSON.parse(body) as DecisionAnswer;
      const target = `/v1/offers?website=${visitor.website.websiteKey}&requestId=${requestId}&country=${country}`;
      return {
        path: "offers",
        text: requestText("GET", target, pageHeaders(visitor)),
        wantsBody: true,
        visitor,
      };
    },
    impression: () => {
      const visit = toBeSeen.take();
      if (visit === null) return null;
      const { visitor } = visit;
      const { requestId, offers } = read(visit);
      const offer = offers[visit.seen++];
      if (offer === undefined) return null;
      if (visit.seen < offers.length) toBeSeen.put(visit);
      const { id: offerId, placement, position } = offer;
      const body = JSON.stringify({ requestId, offerId, placement, position, surface: "overlay" });
      const headers = { ...pageHeaders(visitor), "content-type": "text/plain" };
      const text = requestText("POST", "/v1/events/impression", headers, body);
      return { path: "impression", text, wantsBody: false, visitor };
    },
    hop: () => {
      const visit = toBeClicked.take();
      if (visit === null) return null;
      const { offers } = read(visit);
      const offer = offers[Math.floor(random() * offers.length)];
      if (offer === undefined) return null;
      // A navigation carries no Origin.
      const { origin: _, ...headers } = pageHeaders(visit.visitor);
      const target = offer.url.slice(offer.url.indexOf("/", "https://".length));
      return {
        path: "hop",
        text: requestText("GET", target, headers),
        wantsBody: false,
        visitor: visit.visitor,
      };
    },
    keyDecision: () => {
      const visitor = arrive();
      const target = `/v1/decision?website=${visitor.website.websiteKey}&ip=${visitor.address}&userAgent=${encodeURIComponent(visitor.userAgent)}`;
      const text = requestText("GET", target, { authorization: world.authorization });
      return { path: "keyDecision", text, wantsBody: false, visitor };
    },
  };

  const nextMixed = (): VisitCall | null => {
    let rest = random() * 100;
    for (const path of paths) {
      rest -= mixedShares[path];
      // Where no answer is left to follow, somebody new arrives.
      if (rest < 0) return call[path]() ?? call.decision();
    }
    return call.decision();
  };

  return {
    next: (traffic) => {
      isMixed = traffic === "mixed";
      const made = traffic === "mixed" ? nextMixed() : call[traffic]();
      if (made === null) throw new Error(`no answer is left that ${traffic} could follow`);
      return made;
    },
    answered: ({ path, visitor, wantsBody }, status, body) => {
      if (status !== goodStatus[path]) return null;
      if (path === "yardstick") return 0;
      if (path === "decision" && wantsBody) decided.put({ visitor, body });
      if (path !== "offers") return 1;
      const shown: Shown = { visitor, body, answer: null, seen: 0 };
      if (hasRoom(toBeSeen)) toBeSeen.put(shown);
      if (hasRoom(toBeClicked)) toBeClicked.put(shown);
      return body.split('"placement":').length - 1;
    },
  };
}

/** Parsed when somebody follows it up, and so never while the clock of the offers themselves runs. */
const read = (visit: Shown): { requestId: string; offers: readonly ServedOffer[] } => {
  const answer = visit.answer ?? (JSON.parse(visit.body) as OffersAnswer);
  visit.answer = answer;
  visit.body = "";
  return { requestId: answer.requestId, offers: [...answer.premium, ...answer.standard] };
};

/** Countries in turn; 65,536 different addresses of each prefix before one comes again. */
const addressAt = ({ places }: World, number: number): string => {
  const { prefixes } = places[number % places.length] ?? { prefixes: ["198.18"] };
  const turn = Math.floor(number / Math.max(1, places.length));
  // An odd factor visits every number of 16 bits once, in no order.
  const low = Math.imul(Math.floor(turn / prefixes.length), 40_503) & 0xffff;
  return `${prefixes[turn % prefixes.length]}.${low >> 8}.${low & 255}`;
};

const pageHeaders = ({ website, address, userAgent }: Visitor) => ({
  origin: website.origin,
  "user-agent": userAgent,
  "x-forwarded-for": address,
});

/** The text of one request; `headers` end up as they are. Bodies are ASCII. */
function requestText(
  method: "GET" | "POST",
  target: string,
  headers: Record<string, string>,
  body = "",
): string {
  let lines = `${method} ${target} HTTP/1.1\r\nhost: 127.0.0.1\r\n`;
  for (const name in headers) lines += `${name}: ${headers[name]}\r\n`;
  if (method === "POST") lines += `content-length: ${body.length}\r\n`;
  return `${lines}\r\n${body}`;
}

/** First in, first out; the oldest go when there are too many. */
const createLine = <T>() => {
  let items: T[] = [];
  let first = 0;
  return {
    put: (item: T): void => {
      items.push(item);
      if (items.length - first > most) first += 1;
      if (2 * first > items.length) {
        items = items.slice(first);
        first = 0;
      }
    },
    waiting: (): number => items.length - first,
    take: (): T | null => items[first++] ?? onEmpty(),
  };
  function onEmpty(): null {
    items = [];
    first = 0;
    return null;
  }
};
