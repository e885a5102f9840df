import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fewPlaces } from "../store/catalogue/catalogue-for-tests.ts";
import { updateWebsite } from "../store/catalogue/websites.ts";
import type { Call } from "../testing/call.ts";
import { startTestService, type TestService } from "../testing/test-service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const dayMs = 24 * 60 * 60 * 1000;
const pageViews = 20;

/** Each test has visitors of its own, who are told apart by their browser. */
let visitors = 0;
const newVisitor = (headers: Record<string, string> = {}): Call => {
  visitors += 1;
  return { headers: { "User-Agent": `Mozilla/5.0 (X11; Linux) Firefox/${visitors}`, ...headers } };
};

/** Views pages one after the other, closes every overlay that opens, and says for each view whether one did. */
const viewPages = async (visitor: Call, { query = "", website = "ws_a", views = pageViews } = {}) => {
  const opened: boolean[] = [];
  for (let view = 0; view < views; view += 1) {
    const { settings, requestId, allowed } = await service.decide({ ...visitor, query, website });
    expect(allowed).toBe(false);
    opened.push(settings.show);
    if (settings.show) expect((await service.post("dismiss", { requestId }, visitor)).status).toBe(204);
  }
  return opened;
};
const once = [true, ...Array<boolean>(pageViews - 1).fill(false)];
const always = Array<boolean>(pageViews).fill(true);
const setWebsite = (change: object) =>
  service.change((catalogue) => updateWebsite(catalogue, "ws_a", change, fewPlaces));

/** What is kept from now on. A count of all rows would be less whenever those of days before are purged meanwhile. */
const dismissalsFromNow = () => {
  const rows = () => service.stored.table("dismissal");
  const last = Number(rows().at(-1)?.number ?? 0);
  return () => rows().filter(({ number }) => Number(number) > last);
};
const blocked = () => service.stored.events("blocked").length;

describe("twenty page views of a visitor who closes the overlay", () => {
  it("show it once, and count as blocked twenty times", async () => {
    const before = blocked();
    expect(await viewPages(newVisitor())).toEqual(once);
    expect(blocked() - before).toBe(pageViews);
  });

  it("say why it does not open, and go on handing out what is asked for", async () => {
    const visitor = newVisitor();
    await viewPages(visitor, { views: 1 });
    const decision = await service.decide(visitor);
    expect(decision).toMatchObject({
      blocked: { reason: "country_not_allowed" },
      settings: { frequency: "closed", show: false, hidden: "closed_today" },
    });
    const answer = await service.call(
      `/v1/offers?website=ws_a&country=DE&requestId=${decision.requestId}`,
      visitor,
    );
    expect(answer.json()).toMatchObject({ emptyReason: null });
  });

  it("show it each time where the tag says so, and where the website does", async () => {
    expect(await viewPages(newVisitor(), { query: "&frequency=page" })).toEqual(always);
    await setWebsite({ settings: { frequency: "page" } });
    expect(await viewPages(newVisitor())).toEqual(always);
    expect(await viewPages(newVisitor(), { query: "&frequency=day" }), "the tag's word comes first").toEqual(
      once,
    );
    await setWebsite({ settings: { frequency: "closed" } });
  });

  it("show it each time where it may not be dismissed", async () => {
    await setWebsite({ settings: { dismissible: false } });
    expect(await viewPages(newVisitor())).toEqual(always);
    await setWebsite({ settings: { dismissible: true } });
  });

  it("show it each time on a development website", async () => {
    await setWebsite({ development: true });
    expect(await viewPages(newVisitor())).toEqual(always);
    await setWebsite({ development: false });
  });

  it("show it each time on a loopback host", async () => {
    await setWebsite({ origins: ["https://shop-a.example", "http://localhost:3000"] });
    expect(await viewPages({ ...newVisitor(), origin: "http://localhost:3000" })).toEqual(always);
  });

  it("show it each time to one who asks by Global Privacy Control to have no name, of whom nothing is kept", async () => {
    const kept = dismissalsFromNow();
    expect(await viewPages(newVisitor({ "Sec-GPC": "1" }))).toEqual(always);
    expect(kept()).toEqual([]);
  });

  it.each(["Sec-GPC", "DNT"])(
    "keep nothing of one who asks for no name at the closing alone, by %s",
    async (name) => {
      const [kept, visitor] = [dismissalsFromNow(), newVisitor()];
      const { requestId } = await service.decide(visitor);
      const asking = { headers: { ...visitor.headers, [name]: "1" } };
      expect((await service.post("dismiss", { requestId }, asking)).status).toBe(204);
      expect(kept()).toEqual([]);
      await service.post("dismiss", { requestId }, visitor);
      expect(kept()).toHaveLength(1);
    },
  );

  it("show it again after midnight, once", async () => {
    const visitor = newVisitor();
    expect(await viewPages(visitor)).toEqual(once);
    service.moveClock(dayMs / 2 - 1000);
    expect(await viewPages(visitor, { views: 1 }), "a second before midnight").toEqual([false]);
    service.moveClock(1000);
    expect(await viewPages(visitor)).toEqual(once);
  });

  it("say nothing of sections, of other visitors and of other websites", async () => {
    const visitor = newVisitor();
    await viewPages(visitor, { views: 1 });
    expect(await service.decide({ ...visitor, query: "&mode=section" })).toMatchObject({
      settings: { show: true },
    });
    expect(await service.decide(newVisitor())).toMatchObject({ settings: { show: true } });
    expect(await service.decide({ ...visitor, from: "203.0.113.99" })).toMatchObject({
      settings: { show: true },
    });
  });
});

describe("POST /v1/events/dismiss", () => {
  it("keeps one row a visitor, the hash and the day alone", async () => {
    const visitor = newVisitor();
    const { requestId } = await service.decide(visitor);
    const kept = dismissalsFromNow();
    for (let time = 0; time < 3; time += 1) {
      expect(
        await service.post("dismiss", { requestId, pub: "pub_a", website: "ws_a" }, visitor),
      ).toMatchObject({
        status: 204,
        text: "",
      });
    }
    const made = kept();
    expect(made).toHaveLength(1);
    const [row] = made;
    // On PostgreSQL by which transaction it came, too.
    const columns = Object.keys(row ?? {}).filter((column) => column !== "xid");
    expect(columns.sort()).toEqual(["day", "number", "visitor"]);
    expect(Number(row?.day) % dayMs).toBe(0);
  });

  it("does nothing today for a decision of the day before", async () => {
    const visitor = newVisitor();
    const { requestId } = await service.decide(visitor);
    // The next day's salt is made on the day before it.
    await service.change(async () => undefined);
    service.moveClock(dayMs);
    expect((await service.post("dismiss", { requestId }, visitor)).status).toBe(204);
    expect(await service.decide(visitor)).toMatchObject({ settings: { show: true } });
  });

  it("is known to a service that begins with what this one has stored", async () => {
    const visitor = newVisitor();
    await viewPages(visitor, { views: 1 });
    const later = await startTestService({ copyOf: service });
    // Its clock begins anew, on the day on which this one's began.
    const ahead = service.context.clock() - later.context.clock();
    later.moveClock(ahead);
    expect(await later.decide(visitor)).toMatchObject({ settings: { show: false } });
    await later.close();
  });

  it.each([
    ["a forged requestId", { requestId: "req_forged" }, undefined, 400, "invalid_request_id"],
    ["none", {}, undefined, 400, "missing_parameter"],
    ["another page", null, "https://evil.example", 403, "origin_not_allowed"],
    ["another publisher's page", null, "https://shop-b.example", 400, "invalid_request_id"],
  ])("refuses %s, and remembers nobody", async (_, body, origin, status, code) => {
    const visitor = newVisitor();
    const { requestId } = await service.decide(visitor);
    const kept = dismissalsFromNow();
    const answer = await service.post("dismiss", body ?? { requestId }, {
      ...visitor,
      ...(origin === undefined ? {} : { origin }),
    });
    expect(answer.status).toBe(status);
    expect(answer.json()).toMatchObject({ code });
    expect(kept()).toEqual([]);
  });
});

it("refuses a frequency that is none", async () => {
  const answer = await service.call("/v1/decision?pub=pub_a&website=ws_a&frequency=often");
  expect(answer.status).toBe(400);
  expect(answer.json()).toMatchObject({ code: "invalid_parameter", errors: [{ parameter: "frequency" }] });
});
