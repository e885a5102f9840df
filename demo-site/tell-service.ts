/** How the service answered when it was told that the applicant of this session was declined. */
export type Told =
  /** The applicant's browser will be shown offers. */
  | "ready"
  /** The session is unknown, another website's, or over. */
  | "session_over"
  /** The service did not answer in time, or refused this server. */
  | "unavailable";

export type Telling = {
  serviceOrigin: string;
  /** Stays on this server: no page and no answer to a browser holds it. */
  integrationSecret: string;
  sessionId: string;
  reason: string;
  /** Milliseconds to wait for an answer. */
  patienceMs?: number;
};

/**
 * Calls the service from server to server. Never throws: the applicant's answer does not depend on it. A call that fails
 * is made once more within the same time, since a connection that was kept may close just as it is used again, and to
 * tell the service twice changes nothing.
 */
export async function tellService(telling: Telling): Promise<Told> {
  const { serviceOrigin, integrationSecret, sessionId, reason, patienceMs = 4000 } = telling;
  const signal = AbortSignal.timeout(patienceMs);
  const call = () =>
    fetch(`${serviceOrigin}/v1/widget-decline/trigger`, {
      method: "POST",
      headers: { Authorization: `Bearer ${integrationSecret}`, "Content-Type": "application/json" },
      body: JSON.stringify({ sessionId, reason }),
      // A redirect that is followed would carry the secret to wherever it points.
      redirect: "manual",
      signal,
    });
  try {
    const answer = await call().catch(call);
    await answer.body?.cancel();
    if (answer.status === 200) return "ready";
    if ([400, 404, 410].includes(answer.status)) return "session_over";
    console.error(`The service answered the loan page's server with ${answer.status}.`);
    return "unavailable";
  } catch {
    return "unavailable";
  }
}
