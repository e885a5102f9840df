import type { AccessToken } from "../../core/oauth.ts";

/** How long an answer is believed: a revoked connection ends within five seconds, whatever else takes time. */
export const believedMs = 2000;
/** Some megabytes at the worst. */
const mostTokens = 10_000;

type Known = { at: number; found: Promise<AccessToken | null> };

/** Spares a partner that calls again and again a look-up for each call. */
export class RecentTokens {
  readonly #find: (idHash: string) => Promise<AccessToken | null>;
  readonly #clock: () => number;
  /** In the order in which they were looked up. */
  readonly #known = new Map<string, Known>();

  /** `clock`: milliseconds since the epoch. */
  constructor(find: (idHash: string) => Promise<AccessToken | null>, clock: () => number) {
    this.#find = find;
    this.#clock = clock;
  }

  find(idHash: string): Promise<AccessToken | null> {
    const at = this.#clock();
    const known = this.#known.get(idHash);
    // A clock that was set back believes nothing.
    if (known !== undefined && at >= known.at && at - known.at < believedMs) return known.found;
    // Anew at the end of the order.
    this.#known.delete(idHash);
    const asked: Known = { at, found: this.#find(idHash) };
    this.#known.set(idHash, asked);
    const oldest = this.#known.keys().next();
    if (this.#known.size > mostTokens && !oldest.done) this.#known.delete(oldest.value);
    const forget = () => {
      if (this.#known.get(idHash) === asked) this.#known.delete(idHash);
    };
    // What does not exist is not remembered: whoever guesses would drive the others out.
    asked.found.then((token) => token ?? forget(), forget);
    return asked.found;
  }
}
