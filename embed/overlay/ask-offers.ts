import ky from "ky";
import { type Offers, readOffers } from "./read-offers.ts";

/** From the first attempt to the last, waits included, in milliseconds. */
const patience = 4000;

/**
 * Asks for the offers, again when the service is busy (its Retry-After is heeded) or the network fails,
 * as long as it all fits into four seconds. Rejects when no answer comes; null when the answer holds no offers.
 */
export async function askOffers(url: string, base: string): Promise<Offers | null> {
  const answer: unknown = await ky
    .get(url, {
      credentials: "omit",
      referrerPolicy: "origin",
      timeout: patience,
      totalTimeout: patience,
      retry: { limit: 2, jitter: true },
    })
    .json();
  return readOffers(answer, base);
}
