import { afterAll, beforeAll, beforeEach } from "vitest";
import { type KeyCalls, withKey } from "./key-calls.ts";
import { trafficTables } from "./stored-rows.ts";
import { startTestService, type TestService } from "./test-service.ts";

/** An impression that a server reports of an offer that publisher A's website may show. */
export const event = { type: "impression", websiteKey: "ws_a", offerId: "offer_best", country: "DE" };
export const hour = 3_600_000;

/** What a report was answered with, in so far as it is a refusal. */
export type Refusal = { status: number; code: string; parameters: string[] | undefined };

/** For all tests of a file: one service and one key of publisher A; each test finds no event and the first hour. */
export function useEventService() {
  let service: TestService;
  let a: KeyCalls;
  let startedAt: number;
  beforeAll(async () => {
    service = await startTestService();
    a = await withKey(service);
    startedAt = service.context.clock();
  });
  beforeEach(() => {
    service.moveClock(startedAt - service.context.clock());
    return service.empty(trafficTables);
  });
  afterAll(() => service.close());
  return {
    get service() {
      return service;
    },
    get a() {
      return a;
    },
    codeOf: async (body: unknown, given = {}): Promise<Refusal> => {
      const answer = await a.report(body, given);
      const { code, errors } = answer.json<{ code: string; errors?: { parameter: string }[] }>();
      return { status: answer.status, code, parameters: errors?.map(({ parameter }) => parameter) };
    },
  };
}

/** Every event that is stored, in the order of arrival. */
export function eventsOf(service: TestService) {
  return service.stored.events().map(({ type, offer_id, country, day, reason, test, billed_micros }) => ({
    type,
    offer_id,
    country,
    day,
    reason,
    test,
    billed_micros,
  }));
}
