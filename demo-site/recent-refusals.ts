import { randomUUID } from "node:crypto";

type RecentRefusals = {
  /** Keeps a refusal's reason, and returns the reference to it. */
  keep: (reason: string) => string;
  /** The reason, once; null where the reference is unknown, was taken before, or is over. */
  take: (reference: string) => string | null;
};

/**
 * A lender's latest refusals, each under a reference that only its applicant's page is told: a reason, and nothing of the
 * application. `most` are kept at once, the oldest giving way, each for `keptMs` milliseconds: a page opens its session
 * within seconds.
 */
export function recentRefusals(most = 1000, keptMs = 300_000): RecentRefusals {
  const kept = new Map<string, { reason: string; untilMs: number }>();
  return {
    keep(reason) {
      const reference = randomUUID();
      kept.set(reference, { reason, untilMs: Date.now() + keptMs });
      // A Map has its entries in the order in which they came.
      for (const [oldest, { untilMs }] of kept) {
        if (kept.size <= most && Date.now() < untilMs) break;
        kept.delete(oldest);
      }
      return reference;
    },
    take(reference) {
      const refusal = kept.get(reference);
      kept.delete(reference);
      return refusal !== undefined && Date.now() < refusal.untilMs ? refusal.reason : null;
    },
  };
}
