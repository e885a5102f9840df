import type { DecisionAnswer } from "@offers/contract/decision";
import type { OffersAnswer, ServedOffer } from "@offers/contract/offers";
import type { Answer, Call } from "./call.ts";

/** What visitors of the fixture's websites do, each step as its page does it. */
export type VisitorJourneys = {
  /** Asks for a decision and expects one. */
  decide: (given?: Call & { website?: string; query?: string }) => Promise<DecisionAnswer>;
  /** A blocked visitor's decision and its offers, and the second in which they are read. */
  visit: (given?: Call & { website?: string; query?: string }) => Promise<Visit>;
  post: (
    event: "drawn" | "impression" | "click" | "dismiss" | "snippet-ping",
    body: unknown,
    given?: Call,
  ) => Promise<Answer>;
  /** Follows an offer's link, which stands under BASE_URL, to this service. */
  follow: (url: string, given?: Call) => Promise<Answer>;
};

export type Visit = { decision: DecisionAnswer; answer: OffersAnswer; offers: ServedOffer[] };

/** Milliseconds in which a visitor has read the offers: who clicks sooner is not believed. */
export const readingMs = 1000;

/** Of a service that is called, whose offers link to `baseUrl`, and whose clock moves while a visitor reads. */
export function createVisitorJourneys({
  call,
  baseUrl,
  moveClock,
}: {
  call: (path: string, given?: Call) => Promise<Answer>;
  baseUrl: string;
  moveClock: (milliseconds: number) => void;
}): VisitorJourneys {
  const decide: VisitorJourneys["decide"] = async ({ website = "ws_a", query = "", ...given } = {}) => {
    const pub = publisherOf[website] ?? "pub_a";
    const answer = await call(
      `/v1/decision?pub=${pub}&website=${website}${query}`,
      withOrigin(website, given),
    );
    if (answer.status !== 200) throw new Error(`no decision: ${answer.status} ${answer.text}`);
    return answer.json<DecisionAnswer>();
  };
  const visit: VisitorJourneys["visit"] = async (given = {}) => {
    const decision = await decide(given);
    const { website = "ws_a", query: _, ...rest } = given;
    const path = `/v1/offers?website=${website}&requestId=${decision.requestId}&country=${decision.country}`;
    const answered = await call(path, withOrigin(website, rest));
    if (answered.status !== 200) throw new Error(`no offers: ${answered.status} ${answered.text}`);
    const answer = answered.json<OffersAnswer>();
    moveClock(readingMs);
    return { decision, answer, offers: [...answer.premium, ...answer.standard] };
  };
  const post: VisitorJourneys["post"] = (event, body, given = {}) =>
    call(`/v1/events/${event}`, { method: "POST", body, ...given });
  const follow: VisitorJourneys["follow"] = (link, given = {}) =>
    call(link.replace(baseUrl, ""), { origin: null, ...given });
  return { decide, visit, post, follow };
}

const publisherOf: Record<string, string> = { ws_b: "pub_b", ws_empty: "pub_b" };
const originOf: Record<string, string> = {
  ws_b: "https://shop-b.example",
  ws_dev: "https://dev.shop-a.example",
  ws_wild: "https://x.wild-a.example",
  ws_empty: "https://empty.example",
};

const withOrigin = (website: string, given: Call): Call => ({
  ...(originOf[website] !== undefined && { origin: originOf[website] }),
  ...given,
});
