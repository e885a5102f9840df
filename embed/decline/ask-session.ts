import ky, { HTTPError, type Options } from "ky";
import { retryAfterMs } from "../wire/retry-after.ts";
import { sessionsUrl, sessionUrl } from "../wire/service-urls.ts";
import type { LoaderTag } from "../wire/visit.ts";
import { readSession, type Session } from "./read-session.ts";

/** What a poll found: the session, a refusal that will pass, or that there is no such session any more. */
type Found = Session | { status: "refused"; retryAfterMs: number } | { status: "gone" };

/** These requests have no body and no header of ours, so browsers send no preflight. */
const simple = { credentials: "omit", referrerPolicy: "origin", timeout: 4000 } as const;

/** The longest wait before a session is asked for again, in milliseconds: its visitor sees nothing, and the page may wait for it. */
const mostWaitMs = 5000;

const isWaitTooLong = (problem: unknown): boolean =>
  problem instanceof HTTPError &&
  retryAfterMs(problem.response.headers.get("retry-after"), Date.now()) > mostWaitMs;

/**
 * Opens a session, again when the service is busy or the network fails. Where that does not help, where the service asks for a
 * longer wait or the signal ends it, rejects, with the service's answer if there was one.
 */
export async function openSession(tag: LoaderTag, signal: AbortSignal): Promise<Session> {
  const retry = {
    limit: 2,
    methods: ["post"],
    jitter: true,
    maxRetryAfter: mostWaitMs,
    shouldRetry: ({ error }) => (isWaitTooLong(error) ? false : undefined),
  } satisfies Options["retry"];
  const answer = await ky.post(sessionsUrl(tag), { ...simple, signal, retry }).catch((problem: unknown) => {
    throw problem instanceof HTTPError ? again(problem) : problem;
  });
  const session = readSession(await answer.json());
  if (!session) throw new TypeError("no session");
  return session;
}

/** The body of the service's answer was read, so the page gets another answer that says the same. */
function again({ data, response }: HTTPError): Response {
  // What is not JSON was read as text; a body that is empty or cannot be read was read as undefined, and becomes empty.
  return new Response(typeof data === "string" ? data : JSON.stringify(data), response);
}

/** Polls once; the schedule decides when the next poll is due. */
export async function askSession(tag: LoaderTag, sessionId: string, signal: AbortSignal): Promise<Found> {
  try {
    const answer = await ky.get(sessionUrl(tag, sessionId), {
      ...simple,
      signal,
      retry: 0,
      throwHttpErrors: false,
    });
    if (answer.ok) return readSession(await answer.json()) ?? { status: "gone" };
    if (answer.status !== 429 && answer.status < 500) return { status: "gone" };
    return { status: "refused", retryAfterMs: retryAfterMs(answer.headers.get("retry-after"), Date.now()) };
  } catch {
    return { status: "refused", retryAfterMs: 0 };
  }
}
