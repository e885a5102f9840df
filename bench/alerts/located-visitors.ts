import { setTimeout as pause } from "node:timers/promises";
import type { MadeWebsite } from "../catalogue.ts";
import { type HttpClient, openHttpClient } from "../http-client.ts";
import type { Link } from "../racing.ts";
import type { Service } from "../service.ts";
import {
  decisionPath,
  followLink,
  readingMs,
  reportEvent,
  type Visitor,
  visitorAt,
  visitPage,
} from "../visitor.ts";

/** Visitors who come on and on, whatever they are answered. */
export type Visitors = {
  /** From now on they come from these addresses; half of one, as in `86.10`. */
  comeFrom: (prefix: string) => void;
  stop: () => Promise<void>;
};

export type VisitorsPlan = {
  perSecond: number;
  /** What each of them does: asks for the decision, or walks from the decision to the click. */
  each: "decision" | "visit";
};

/** Of a British network, which every set of location data knows. */
export const located = "86.10";
/** Addresses for benchmarks (RFC 2544), which nobody is at and no set of data knows. */
export const unlocated = "198.18";
const turnMs = 20;
const linksMost = 100;
/** More than these wait for a service that answers nobody, and the next ones stay away. */
const underWayMost = 400;

/** Has so many visitors a second come to one service. */
export function sendVisitors(
  { url }: Pick<Service, "url">,
  website: MadeWebsite,
  { perSecond, each }: VisitorsPlan,
): Visitors {
  const client = openHttpClient(url, underWayMost);
  const underWay = new Set<Promise<void>>();
  const startedAt = performance.now();
  const links: Link[] = [];
  let prefix = located;
  let sent = 0;
  const walk = async (visitor: Visitor, number: number): Promise<void> => {
    try {
      const link = await visit(client, website, visitor);
      if (link !== null && links.length < linksMost) links.push(link);
    } catch {
      // Pages that were opened while all was well have links that are clicked now.
      const link = links[number % links.length];
      if (link !== undefined) await followLink(client, link.visitor, link.url);
    }
  };
  const one = each === "decision" ? (who: Visitor) => askForDecision(client, website, who) : walk;
  const timer = setInterval(() => {
    const due = ((performance.now() - startedAt) * perSecond) / 1000;
    for (; sent < due; sent += 1) {
      if (underWay.size >= underWayMost) continue;
      const visitor = visitorFrom(prefix, sent, website);
      // What they are answered is what the alerts are about.
      const coming: Promise<void> = one(visitor, sent)
        .catch(() => undefined)
        .finally(() => underWay.delete(coming));
      underWay.add(coming);
    }
  }, turnMs);
  return {
    comeFrom: (other) => {
      prefix = other;
    },
    stop: async () => {
      clearInterval(timer);
      client.close();
      await Promise.all(underWay);
    },
  };
}

const visitorFrom = (prefix: string, number: number, website: MadeWebsite): Visitor => {
  const { headers } = visitorAt(number, website);
  return { headers: { ...headers, "x-forwarded-for": `${prefix}.${(number >> 8) & 255}.${number & 255}` } };
};

const askForDecision = async (client: HttpClient, website: MadeWebsite, visitor: Visitor): Promise<void> => {
  await client.get(decisionPath(website), visitor.headers);
};

/** A link that was handed out and clicked; null: there are no offers. */
const visit = async (client: HttpClient, website: MadeWebsite, visitor: Visitor): Promise<Link | null> => {
  const { decision, offers } = await visitPage(client, website, visitor);
  const [offer] = offers;
  if (offer === undefined) return null;
  const { requestId } = decision;
  await reportEvent(client, "impression", visitor, { requestId, offer });
  await pause(readingMs);
  await followLink(client, visitor, offer.url);
  return { visitor, url: offer.url };
};
