import { request } from "../wire/request.ts";
import { retryAfterMs } from "../wire/retry-after.ts";
import { type Offers, readOffers } from "./read-offers.ts";

/** From the first attempt to the last, waits included, in milliseconds. */
const patience = 4000;

/** The wait before the second attempt, which doubles before the third; up to as much again is added by chance. */
const leastPause = 300;

const attempts = 3;

/**
 * Asks for the offers, again when the service is busy (its Retry-After is heeded) or the network fails, as long as it
 * all fits into four seconds. `first` is an attempt that was made already; null is its failure. Rejects when no
 * answer comes; null when the answer holds no offers, and once `closing` ends what they are for.
 */
export async function askOffers(
  url: string,
  base: string,
  closing: AbortSignal,
  first?: Promise<Response | null>,
): Promise<Offers | null> {
  const stop = new AbortController();
  const { signal } = stop;
  const end = () => stop.abort();
  const endsAt = performance.now() + patience;
  const timer = setTimeout(end, patience);
  // The first attempt cannot be stopped, only waited for no longer.
  const late = new Promise<never>((_, reject) => signal.addEventListener("abort", reject));
  closing.addEventListener("abort", end);
  if (closing.aborted) end();
  const ask = async (): Promise<Offers | null> => {
    for (let attempt = 1; ; attempt += 1) {
      if (signal.aborted) throw signal;
      const answer = await ((attempt === 1 && first) || request(url, { signal }).catch(() => null));
      if (answer?.ok) return readOffers(await answer.json(), base);
      const mayPass = !answer || answer.status === 429 || answer.status >= 500;
      const asked = retryAfterMs(answer?.headers.get("retry-after") ?? null, Date.now());
      const pauseMs = asked || leastPause * attempt * (1 + Math.random());
      if (!mayPass || attempt === attempts || performance.now() + pauseMs > endsAt) throw answer;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  };
  try {
    return await Promise.race([ask(), late]);
  } catch (failure) {
    if (closing.aborted) return null;
    throw failure;
  } finally {
    clearTimeout(timer);
    closing.removeEventListener("abort", end);
  }
}
