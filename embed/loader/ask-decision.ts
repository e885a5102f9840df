/** The longest a page is kept in doubt, in milliseconds. */
const patience = 2500;

/** What the loader must know of a decision; the overlay reads the rest. */
export type LoaderDecision = { allowed: boolean; settings?: { trigger?: unknown } | null };

/** The decision, or null for an answer that is not one. Rejects when none comes in time. */
export async function askDecision(url: string): Promise<LoaderDecision | null> {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), patience);
  try {
    const answer = await fetch(url, {
      credentials: "omit",
      referrerPolicy: "origin",
      signal: stop.signal,
    });
    const body: unknown = answer.ok && (await answer.json());
    return isDecision(body) ? body : null;
  } finally {
    clearTimeout(timer);
  }
}

/** Whether a JSON value is a decision that can be acted upon; only a literal `false` blocks. */
export function isDecision(body: unknown): body is LoaderDecision {
  const { allowed, requestId } = Object(body) as Record<string, unknown>;
  return typeof allowed === "boolean" && typeof requestId === "string" && requestId !== "";
}
