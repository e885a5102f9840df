/** The longest a page is kept in doubt, in milliseconds. */
const patience = 2500;

/** What the loader must know of a decision; the chunks read the rest. */
export type LoaderDecision = {
  allowed: boolean;
  country?: unknown;
  region?: unknown;
  settings?: { trigger?: unknown } | null;
};

/** The decision. Rejects when none comes in time, and for an answer that is not one. */
export async function askDecision(url: string): Promise<LoaderDecision> {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), patience);
  try {
    const answer = await fetch(url, {
      credentials: "omit",
      referrerPolicy: "origin",
      signal: stop.signal,
    });
    const body: unknown = answer.ok && (await answer.json());
    if (!isDecision(body)) throw body;
    return body;
  } finally {
    clearTimeout(timer);
  }
}

/** Whether a JSON value is a decision that can be acted upon; only a literal `false` blocks. */
export function isDecision(body: unknown): body is LoaderDecision {
  const { allowed, requestId } = Object(body) as Record<string, unknown>;
  return typeof allowed === "boolean" && typeof requestId === "string" && requestId !== "";
}
