import { describe, expect, it } from "vitest";
import { StorageUnavailable } from "../core/storage-unavailable.ts";
import { event, eventsOf, hour, useEventService } from "../testing/event-service.ts";
import { withKey } from "../testing/key-calls.ts";
import { connect, newPartner, startOauthService } from "../testing/partner.ts";
import { startTestService } from "../testing/test-service.ts";

const on = useEventService();

describe("POST /v1/events with an idempotency key", () => {
  const once = { headers: { "Idempotency-Key": "order-1" } };

  it("is stored once, and answered alike, 50 times at once", async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => on.a.report(event, once)));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(49).fill(200), 201]);
    expect(eventsOf(on.service)).toHaveLength(1);
    expect(on.service.stored.figures().impressions).toBe(1);
  });

  it("repeats a refusal too", async () => {
    const body = { ...event, offerId: "offer_paused" };
    const [first, second] = [await on.a.report(body, once), await on.a.report(body, once)];
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.text).toBe(first.text);
    expect(second.json()).toMatchObject({ accepted: false, reason: "paused" });
  });

  it("is refused with another body, and stores nothing then", async () => {
    await on.a.accept(event, once);
    expect(await on.codeOf({ ...event, country: "FR" }, once)).toMatchObject({
      status: 422,
      code: "idempotency_mismatch",
    });
    expect(eventsOf(on.service)).toHaveLength(1);
  });

  it("is the same event under another key of the publisher, as after a rotation", async () => {
    const { id } = await on.a.accept(event, once);
    const second = await withKey(on.service);
    const again = await second.report(event, once);
    expect([again.status, again.json()]).toEqual([200, { id, accepted: true }]);
    expect(await second.report({ ...event, country: "FR" }, once)).toMatchObject({ status: 422 });
    expect(eventsOf(on.service)).toHaveLength(1);
  });

  it("is the same event whether its time ends in Z or in +00:00", async () => {
    const { id } = await on.a.accept({ ...event, ts: "2026-11-20T11:00:00Z" }, once);
    const again = await on.a.report({ ...event, ts: "2026-11-20T11:00:00+00:00" }, once);
    expect([again.status, again.json()]).toEqual([200, { id, accepted: true }]);
  });

  it("is another event of another publisher", async () => {
    const other = await withKey(on.service, { publisherId: "publisher_b" });
    const { id } = await other.accept({ ...event, websiteKey: "ws_b" }, once);
    expect((await on.a.accept(event, once)).id).not.toBe(id);
  });

  it("is a new event after 24 hours", async () => {
    const { id } = await on.a.accept(event, once);
    on.service.moveClock(24 * hour - 1);
    expect((await on.a.report(event, once)).json()).toMatchObject({ id });
    on.service.moveClock(1);
    expect((await on.a.accept(event, once)).id).not.toBe(id);
    expect(on.service.stored.table("kept_answer")).toHaveLength(1);
  });

  it("is the same event also when its time has become too old for a new one", async () => {
    const old = { ...event, ts: "2026-11-13T12:00:00Z" };
    const { id } = await on.a.accept(old, once);
    on.service.moveClock(60_000);
    const again = await on.a.report(old, once);
    expect([again.status, again.json()]).toEqual([200, { id, accepted: true }]);
    expect(await on.codeOf({ ...old, country: "FR" }, once)).toMatchObject({ status: 422 });
    const refusal = { status: 400, code: "timestamp_out_of_range", parameters: ["ts"] };
    expect(await on.codeOf(old, { headers: { "Idempotency-Key": "order-2" } })).toEqual(refusal);
    expect(await on.codeOf(old)).toEqual(refusal);
    expect(eventsOf(on.service)).toHaveLength(1);
    expect(on.service.stored.table("kept_answer").map(({ key }) => key)).toEqual(["order-1"]);
  });

  it("forgets keys that are a day old", async () => {
    for (const key of ["1", "2", "3"]) await on.a.accept(event, { headers: { "Idempotency-Key": key } });
    on.service.moveClock(24 * hour);
    await on.a.accept(event, { headers: { "Idempotency-Key": "4" } });
    expect(on.service.stored.table("kept_answer").map(({ key }) => key)).toEqual(["4"]);
  });

  it.each<[string, string | string[]]>([
    ["empty", ""],
    ["of 256 characters", "x".repeat(256)],
    ["with a space", "a b"],
    ["with a letter beyond ASCII", "ü"],
    ["given twice", ["a", "b"]],
  ])("is refused with a key that is %s", async (_name, key) => {
    const headers = { "Idempotency-Key": key };
    expect(await on.codeOf(event, { headers })).toMatchObject({
      status: 400,
      parameters: ["Idempotency-Key"],
    });
    expect(eventsOf(on.service)).toEqual([]);
  });
});

describe("POST /v1/events with the idempotency key of a partner", () => {
  it("meets no key of the publisher or of another partner, and outlives the connection", async () => {
    const service = await startOauthService();
    try {
      const [one, other] = [await newPartner(service), await newPartner(service)];
      const report = async (access: string, body: object) => {
        const headers = {
          ...{ Authorization: `Bearer ${access}`, "Content-Type": "application/json" },
          "Idempotency-Key": "order-1",
        };
        const answer = await service.call("/v1/events", { method: "POST", origin: null, headers, body });
        return { status: answer.status, id: answer.json<{ id: string }>().id };
      };
      const { key } = await withKey(service);
      const answers = [
        await report(key.key, event),
        await report((await connect(one)).access, event),
        await report((await connect(other)).access, { ...event, country: "FR" }),
      ];
      expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
      expect(new Set(answers.map(({ id }) => id)).size).toBe(3);
      const anew = (await connect(one)).access;
      expect(await report(anew, event)).toEqual({ status: 200, id: answers[1]?.id });
      expect((await report(anew, { ...event, country: "FR" })).status).toBe(422);
    } finally {
      await service.close();
    }
  });
});

describe("POST /v1/events while the storage refuses", () => {
  it("answers 503, and the repetition is exactly one event", async () => {
    let isRefusing = true;
    const broken = await startTestService({
      wrapStore: (store) => ({
        ...store,
        journal: {
          ...store.journal,
          append: async (entry) => {
            if (isRefusing && entry.kind === "server_event")
              throw new StorageUnavailable("the disk is full", 1);
            return store.journal.append(entry);
          },
        },
      }),
    });
    try {
      const b = await withKey(broken);
      const once = { headers: { "Idempotency-Key": "retry" } };
      const refused = await b.report(event, once);
      expect(refused.status).toBe(503);
      expect(refused.headers["retry-after"]).toMatch(/^[1-9]\d*$/);
      isRefusing = false;
      const { id } = await b.accept(event, once);
      expect((await b.report(event, once)).json()).toMatchObject({ id });
      expect(eventsOf(broken)).toHaveLength(1);
    } finally {
      await broken.close();
    }
  });

  it("turns events away before it reads them when too many wait", async () => {
    const full = await startTestService({
      wrapStore: (store) => ({
        ...store,
        journal: { ...store.journal, isFull: () => true },
      }),
    });
    try {
      const answer = await full.call("/v1/events", { method: "POST", origin: null, body: "{" });
      expect(answer.status).toBe(503);
      expect(answer.json()).toMatchObject({ code: "overloaded" });
    } finally {
      await full.close();
    }
  });
});
