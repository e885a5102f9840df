/** What one node knows of a key's calls in one window. */
export type KnownCalls = {
  /** The last number of all nodes' calls that this one was told; 0: none was. */
  shared: number;
  /** Calls that this node has let in and not told of. */
  untold: number;
};

/** Whether a call is let in, and how many more would be. */
export type LimitVerdict = { outcome: "admit" | "refuse"; remaining: number };

/**
 * Judges a call before anybody is asked.
 *
 * A node lets in the first call of a key in a window by itself and tells it with the second: most callers never make
 * one, and cost the store nothing. So `limit` calls are let in and one more a node at the most, and as long as the store
 * answers never fewer than `limit`.
 */
export function judgeCall(
  known: KnownCalls,
  rule: { limit: number; nodes: number; isReachable: boolean },
): LimitVerdict | { outcome: "ask" } {
  // What was taken is never given back within a window.
  if (known.shared >= rule.limit) return { outcome: "refuse", remaining: 0 };
  if (known.shared === 0 && known.untold === 0) return { outcome: "admit", remaining: rule.limit - 1 };
  return rule.isReachable ? { outcome: "ask" } : judgeUnasked(known, rule);
}

/** Judges a call by its number among the calls of all nodes, the first being 1. */
export function judgeCounted(number: number, { limit }: { limit: number }): LimitVerdict {
  return { outcome: number <= limit ? "admit" : "refuse", remaining: Math.max(0, limit - number) };
}

/**
 * Judges a call that nobody can number: each living node lets in its share of what was left when it was last told, and
 * the first of a key in any case.
 */
export function judgeUnasked(
  { shared, untold }: KnownCalls,
  { limit, nodes }: { limit: number; nodes: number },
): LimitVerdict {
  const share = Math.max(shared === 0 ? 1 : 0, Math.floor((limit - shared) / nodes));
  return { outcome: untold < share ? "admit" : "refuse", remaining: Math.max(0, share - untold - 1) };
}
