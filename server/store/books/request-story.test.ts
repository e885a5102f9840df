import type { EventId } from "@offers/contract/ids";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventIdOf, type FactKey, factTypes } from "../../core/fact.ts";
import { askedRequest } from "../../core/request-story.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";
import { readRequestStory } from "./request-story.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

/** A visit with its events, and so many further rows of one sort as if they had been asked for again and again. */
const visitWith = async (type: FactKey["type"], many: number) => {
  const { decision, offers } = await service.visit();
  const [first] = offers;
  const body = { requestId: decision.requestId, offerId: first?.id };
  await service.post("impression", body);
  await service.post("click", body);
  const { db } = service.catalogue;
  const [click] = service.stored.events("click").slice(-1);
  const request = String(click?.id).slice("evt_".length, "evt_".length + 16);
  const bytes = Buffer.from(request, "base64url");
  const answer = db.selectFrom("fact").selectAll().where("request", "=", bytes).where("type", "=", 2);
  const sample = await answer.executeTakeFirstOrThrow();
  for (let seq = 1; seq <= many; seq += 1) {
    await db
      .insertInto("fact")
      .values({ ...sample, type, seq })
      .execute();
  }
  const story = (eventId = eventIdOf({ request, offer: 0, type: factTypes.blocked, seq: 0 })) => {
    const asked = askedRequest({ eventId }, null);
    if (asked === null) throw new Error("no event's id");
    return readRequestStory(service.catalogue.db, asked);
  };
  return { request, click: click?.id as EventId, story };
};

test.each([
  ["answers that handed out nothing new", factTypes.repeatedAnswer, 600, 20],
  ["answers of which each had something new", factTypes.served, 600, 497],
])("%s crowd out no impression and no click, nor what is asked for", async (_, type, many, told) => {
  const { request, click, story } = await visitWith(type, many);
  const last = { request, offer: 0, type, seq: many };
  for (const asked of [undefined, click, eventIdOf(last)]) {
    const read = await story(asked);
    const facts = read?.facts ?? [];
    const numberOf = (wanted: FactKey["type"]) => facts.filter((fact) => fact.type === wanted).length;
    expect([numberOf(factTypes.blocked), numberOf(factTypes.impression), numberOf(factTypes.click)]).toEqual([
      1, 1, 1,
    ]);
    const isLast = asked === eventIdOf(last);
    expect(numberOf(type)).toBe(told + (isLast ? 1 : 0));
    expect(facts.some(({ seq }) => seq === many)).toBe(isLast);
    expect(read?.hasMore).toBe(true);
    expect(facts).toContainEqual(expect.objectContaining(read?.asked));
  }
});

test("that there are no more is said where all are told", async () => {
  const { request, story } = await visitWith(factTypes.repeatedAnswer, 21);
  const last = eventIdOf({ request, offer: 0, type: factTypes.repeatedAnswer, seq: 21 });
  expect(await story()).toMatchObject({ hasMore: true });
  expect(await story(last)).toMatchObject({ hasMore: false });
});
