import type { DecisionAnswer } from "@offers/contract/decision";
import { request } from "../wire/request.ts";

/** How long the service may take to answer, in milliseconds; a later answer is not waited for. */
const patience = 2500;

/** The decision. Rejects when none comes in time, and for an answer that is not one. */
export async function askDecision(url: string): Promise<DecisionAnswer> {
  const answer = await request(url, { signal: AbortSignal.timeout(patience) });
  const body: unknown = answer.ok && (await answer.json());
  if (!isDecision(body)) throw answer;
  return body;
}

/**
 * Whether a JSON value is a decision that can be acted upon; only a literal `false` blocks. Every visitor pays for
 * this check, so it covers the two members that nothing works without. The overlay reads the rest once more, member
 * by member, before it draws any of it.
 */
export function isDecision(body: unknown): body is DecisionAnswer {
  const { allowed, requestId } = Object(body) as Record<string, unknown>;
  return allowed === !!allowed && /^req_/.test(requestId as string);
}
