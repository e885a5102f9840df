import { setTimeout as pause } from "node:timers/promises";
import type { DecisionAnswer } from "@offers/contract/decision";
import type { OffersAnswer, ServedOffer } from "@offers/contract/offers";
import type { MadeWebsite } from "./catalogue.ts";
import type { Answer, HttpClient } from "./http-client.ts";

/** Somebody at an address of their own, as seen through one trusted proxy. */
export type Visitor = { headers: Record<string, string> };

/** Longer than 800 ms after the offers, within which nobody has read them and no click is billed. */
export const readingMs = 850;

/** An ordinary browser's. */
const userAgent =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/144.0.0.0 Safari/537.36";

/** The `number`th visitor, out of 131,072 addresses that RFC 2544 sets aside for benchmarks. */
export function visitorAt(number: number, website: MadeWebsite): Visitor {
  return {
    headers: {
      origin: website.origin,
      "user-agent": userAgent,
      "x-forwarded-for": `198.${18 + ((number >> 16) & 1)}.${(number >> 8) & 255}.${number & 255}`,
    },
  };
}

export function decisionPath(website: MadeWebsite): string {
  return `/v1/decision?pub=${website.publicKey}&website=${website.websiteKey}`;
}

export function offersPath(
  website: MadeWebsite,
  decision: { requestId: string; country: string },
  { limit }: { limit?: number } = {},
): string {
  const path = `/v1/offers?website=${website.websiteKey}&requestId=${decision.requestId}&country=${decision.country}`;
  return limit === undefined ? path : `${path}&limit=${limit}`;
}

/** A decision and its offers, as the embed would ask for them. Throws on anything but two times 200. */
export async function visitPage(
  client: HttpClient,
  website: MadeWebsite,
  visitor: Visitor,
  options: { limit?: number } = {},
): Promise<{ decision: DecisionAnswer; offers: ServedOffer[]; answer: OffersAnswer }> {
  const decision = await readAnswer<DecisionAnswer>(client.get(decisionPath(website), visitor.headers));
  const answer = await readAnswer<OffersAnswer>(
    client.get(offersPath(website, decision, options), visitor.headers),
  );
  return { decision, answer, offers: [...answer.premium, ...answer.standard] };
}

/** How long a visit is tried that only prepares what is judged. */
const patienceMs = 20_000;

/** The same, for what is not judged itself: a service that has too much to do is asked again. */
export async function visitPatiently(
  ...of: Parameters<typeof visitPage>
): Promise<Awaited<ReturnType<typeof visitPage>>> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    try {
      return await visitPage(...of);
    } catch (error) {
      const isBusy = error instanceof Error && error.cause === 503;
      if (!isBusy || Date.now() > deadline) throw error;
    }
    await pause(200);
  }
}

export function reportEvent(
  client: HttpClient,
  type: "impression" | "click",
  visitor: Visitor,
  event: { requestId: string; offer: Pick<ServedOffer, "id" | "placement" | "position"> },
): Promise<Answer> {
  const { id, placement, position } = event.offer;
  return client.post(
    `/v1/events/${type}`,
    JSON.stringify({ requestId: event.requestId, offerId: id, placement, position, surface: "overlay" }),
    { ...visitor.headers, "content-type": "text/plain" },
  );
}

/** A navigation carries no Origin. */
export function followLink(client: HttpClient, visitor: Visitor, url: string): Promise<Answer> {
  const { origin: _, ...headers } = visitor.headers;
  const { pathname, search } = new URL(url);
  return client.get(pathname + search, headers);
}

const readAnswer = async <T>(pending: Promise<Answer>): Promise<T> => {
  const answer = await pending;
  const { status, body } = answer;
  if (status !== 200) throw new Error(`expected 200, got ${status}: ${body}`, { cause: status });
  return JSON.parse(body) as T;
};

/** The 16 characters that key a request's events: they stand in its id behind a header of four. */
export function requestOf(requestId: string): string {
  return requestId.slice("req_".length + 4, "req_".length + 20);
}
