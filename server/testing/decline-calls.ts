import type { OpenedSession, SessionState } from "@offers/contract/decline";
import type { OffersAnswer } from "@offers/contract/offers";
import { createIntegrationSecret } from "../store/catalogue/integration-secrets.ts";
import type { Answer, Call } from "./call.ts";
import type { TestService } from "./test-service.ts";
import { readingMs } from "./visitor-journeys.ts";

/** A website's decline flow as its page and its own server see it. */
export type DeclineCalls = {
  secret: { secret: string; secretId: string };
  /** Opens a session and expects one. */
  open: (given?: Call & { query?: string }) => Promise<OpenedSession>;
  poll: (sessionId: string, given?: Call) => Promise<Answer>;
  /** Polls and expects an answer. */
  stateOf: (sessionId: string, given?: Call) => Promise<SessionState>;
  /** Triggers with the website's secret, as JSON. */
  trigger: (body: unknown, given?: Call) => Promise<Answer>;
  /** Opens a session, triggers it, and fetches the offers that the page is then shown. */
  decline: (said?: object, given?: Call & { query?: string }) => Promise<Declined>;
};

export type Declined = { sessionId: string; requestId: string; country: string; answer: OffersAnswer };

type Site = { website?: string; pub?: string; origin?: string };

/** Issues a secret to website A unless told otherwise, that the service knows at once. */
export async function withSecret(service: TestService, site: Site = {}): Promise<DeclineCalls> {
  const { website = "ws_a", pub = "pub_a", origin = "https://shop-a.example" } = site;
  const issued: DeclineCalls["secret"][] = [];
  await service.change(async (catalogue) => {
    issued.push(await createIntegrationSecret(catalogue, website, service.context.clock()));
  });
  const [secret] = issued;
  if (secret === undefined) throw new Error("no secret was issued");
  const keys = `pub=${pub}&website=${website}`;
  const expectStatus = (status: number, answer: Answer): Answer => {
    if (answer.status !== status) throw new Error(`not ${status}: ${answer.status} ${answer.text}`);
    return answer;
  };
  const open: DeclineCalls["open"] = async ({ query = "", ...given } = {}) => {
    const path = `/v1/widget-decline/session?${keys}${query}`;
    return expectStatus(201, await service.call(path, { method: "POST", origin, ...given })).json();
  };
  const poll: DeclineCalls["poll"] = (sessionId, given) =>
    service.call(`/v1/widget-decline/session/${sessionId}?${keys}`, { origin, ...given });
  const stateOf: DeclineCalls["stateOf"] = async (sessionId, given) =>
    expectStatus(200, await poll(sessionId, given)).json();
  const trigger: DeclineCalls["trigger"] = (body, given = {}) =>
    service.call("/v1/widget-decline/trigger", {
      method: "POST",
      origin: null,
      body,
      ...given,
      headers: {
        "Content-Type": "application/json",
        ...(given.headers ?? { Authorization: `Bearer ${secret.secret}` }),
      },
    });
  const decline: DeclineCalls["decline"] = async (said, given = {}) => {
    const { sessionId } = await open(given);
    expectStatus(200, await trigger({ sessionId, ...said }));
    const state = await stateOf(sessionId);
    if (state.status !== "ready") throw new Error(`not ready: ${state.status}`);
    const { requestId, country } = state;
    const { query: _, ...call } = given;
    // All of them: which six stand first is drawn.
    const path = `/v1/offers?website=${website}&requestId=${requestId}&country=${country}&limit=20`;
    const answer = expectStatus(200, await service.call(path, { origin, ...call })).json<OffersAnswer>();
    service.moveClock(readingMs);
    return { sessionId, requestId, country, answer };
  };
  return { secret, open, poll, stateOf, trigger, decline };
}
