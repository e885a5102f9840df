import type { Expected } from "./visit.ts";

/** The browser of a visitor who is let through fetches the loader, the decision and the ping, and nothing else. */
export const passThroughRequests = [
  "GET /embed.js 200",
  "GET /v1/decision 200",
  "POST /v1/events/snippet-ping 204",
] as const satisfies Expected;

/** Offers stand in the page. */
export const drawnRequest = "POST /v1/events/drawn 204";

/** A blocked visitor's browser also fetches the overlay and its offers, at once and so in any order, and draws them. */
export const overlayRequests = [
  "GET /embed.js 200",
  "GET /v1/decision 200",
  ["POST /v1/events/snippet-ping 204", "GET /c/*.js 200", "GET /v1/offers 200"],
  drawnRequest,
] as const satisfies Expected;

/** The same of a visitor who has closed the overlay, which is remembered for the day and is all that is sent of it. */
export const dismissedRequests = [
  ...overlayRequests,
  "POST /v1/events/dismiss 204",
] as const satisfies Expected;

/** One impression for each of so many offers. */
export function impressionRequests(offers: number): string[] {
  return Array<string>(offers).fill("POST /v1/events/impression 204");
}
