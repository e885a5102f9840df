import type { ExplainAnswer } from "@offers/contract/explain";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { requestIdBytes, requestKeyIn } from "../core/request-id.ts";
import { audit } from "../store/books/audit.ts";
import { recount } from "../store/books/recount.ts";
import { listActivity } from "../store/catalogue/activity.ts";
import { archiveWebsite } from "../store/catalogue/own-websites.ts";
import { requireWebsite } from "../store/catalogue/websites.ts";
import { withSecret } from "../testing/decline-calls.ts";
import { engineOfTests } from "../testing/engine-of-tests.ts";
import { withKey } from "../testing/key-calls.ts";
import { startTestService, type TestService } from "../testing/test-service.ts";
import { readingMs, type Visit } from "../testing/visitor-journeys.ts";
import { whileLocked } from "./locked-for-tests.ts";
import { runBeside } from "./run-for-tests.ts";

let service: TestService;
beforeEach(async () => {
  service = await startTestService();
});
afterEach(() => service.close());

const run = (...args: string[]) => runBeside(service, ["erase", ...args]);

/** A visit with everything that can come of it: a view of each offer, and a billed click. */
const wholeVisit = async (given: Parameters<TestService["visit"]>[0] = {}): Promise<Visit> => {
  const visit = await service.visit(given);
  const { requestId } = visit.decision;
  await service.post("drawn", { requestId, offerIds: visit.offers.map(({ id }) => id) }, given);
  service.moveClock(readingMs);
  for (const { id, placement, position } of visit.offers) {
    await service.post(
      "impression",
      { requestId, offerId: id, placement, position, surface: "overlay" },
      given,
    );
  }
  await service.follow(visit.offers[0]?.url ?? "", given);
  return visit;
};

const keyOf = ({ decision }: Visit): string => requestKeyIn(requestIdBytes(decision.requestId) as Buffer);
const factsOf = (visit: Visit) => service.stored.events().filter(({ request }) => request === keyOf(visit));

/** All that must not move. */
const figures = () => [
  service.stored.figures(),
  service.stored.table("spend"),
  service.stored.table("rate_count"),
  service.stored.table("ledger_line").map(({ request: _, ...line }) => line),
];
const expectTrueBooks = async () => {
  expect((await recount(service.catalogue.db)).differences).toEqual([]);
  expect((await audit(service.catalogue.db)).differences).toEqual([]);
};

test("where nodes keep visits on disks of their own, it says when to erase again", async () => {
  for (const what of [
    ["--request", (await wholeVisit()).decision.requestId],
    ["--website", "ws_a"],
  ]) {
    const { code, err } = await run(...what, "--yes");
    expect(code).toBe(0);
    expect(err.includes("spool_empty")).toBe(engineOfTests === "postgres");
  }
});

describe("a request", () => {
  test("is erased with all its events beside a running service, and no figure moves", async () => {
    const [visit, other] = [await wholeVisit(), await wholeVisit({ from: "203.0.113.77" })];
    const [before, kept] = [figures(), factsOf(other)];
    expect(service.stored.figures()).toMatchObject({ blocked: 2, billable_clicks: 2 });
    const stored = service.stored.table("fact").length;
    const { code, out } = await run("--request", visit.decision.requestId, "--yes", "--json");
    expect(code).toBe(0);
    const left = service.stored.table("fact").length;
    expect(JSON.parse(out)).toEqual({
      request: keyOf(visit),
      events: stored - left,
      sessions: 0,
      pings: 0,
      refusedCalls: 0,
    });
    expect(stored - left).toBeGreaterThan(4);
    expect(factsOf(visit)).toEqual([]);
    expect(factsOf(other)).toEqual(kept);
    const lines = service.stored.table("ledger_line").filter(({ kind }) => kind === "click");
    expect(lines.map(({ request }) => request === null)).toEqual([true, false]);
    expect(figures()).toEqual(before);
    await expectTrueBooks();
  });

  test("is in its publisher's activity, and nowhere which one it was", async () => {
    const visit = await wholeVisit();
    const { requestId } = visit.decision;
    await run("--request", requestId, "--yes");
    await run("--request", requestId, "--yes");
    const [last, ...others] = await listActivity(service.catalogue.db, {
      limit: 9,
      publisherId: "publisher_a",
    });
    expect(last).toMatchObject({
      actor: { name: "ada" },
      subject: { kind: "website", id: "ws_a" },
      action: "visits_erased",
      after: { of: "request", sessions: 0 },
    });
    expect(others.map(({ action }) => action)).not.toContain("visits_erased");
    const kept = JSON.stringify(service.stored.table("activity"));
    expect(kept).not.toContain(requestId);
    expect(kept).not.toContain(keyOf(visit));
  });

  test("that was erased bills nothing any more, whatever the service remembers of it", async () => {
    const visit = await wholeVisit();
    const second = visit.offers[1];
    await run("--request", visit.decision.requestId, "--yes");
    const before = service.stored.table("ledger_line");
    const { requestId } = visit.decision;
    expect((await service.follow(second?.url ?? "")).status).toBe(302);
    expect((await service.follow(visit.offers[0]?.url ?? "")).status).toBe(302);
    const offer = { offerId: second?.id, placement: second?.placement, position: second?.position };
    expect((await service.post("impression", { requestId, ...offer, surface: "overlay" })).status).toBe(204);
    expect(service.stored.table("ledger_line")).toEqual(before);
    expect(factsOf(visit).map(({ reason }) => reason)).toEqual(["not_served", "not_served", "not_served"]);
    await expectTrueBooks();
    // And can be erased again.
    await run("--request", requestId, "--yes");
    expect(factsOf(visit)).toEqual([]);
    await expectTrueBooks();
    // A link that is followed days later leaves one that counts nothing.
    service.moveClock(48 * 3_600_000);
    const { err } = await run("--request", requestId, "--yes");
    expect(err).toContain("whoever still follows one of its links");
    await service.follow(visit.offers[0]?.url ?? "");
    expect(factsOf(visit).map(({ reason }) => reason)).toEqual(["expired"]);
    await expectTrueBooks();
  });

  test("is found by an event and by a click as well, and is unknown by both afterwards", async () => {
    const { get } = await withKey(service);
    const ids = async () => {
      const visit = await wholeVisit();
      const requestId = visit.decision.requestId;
      const { events } = (await get(`/v1/explain?requestId=${requestId}`)).json<ExplainAnswer>();
      const click = service.stored.events("click").findLast(({ request }) => request === keyOf(visit));
      return { visit, requestId, eventId: events[0]?.eventId ?? "", clickId: String(click?.click_id) };
    };
    for (const option of ["event", "click"] as const) {
      const { visit, requestId, eventId, clickId } = await ids();
      expect((await get(`/v1/explain?eventId=${eventId}`)).status).toBe(200);
      expect((await run(`--${option}`, option === "event" ? eventId : clickId, "--yes")).code).toBe(0);
      expect(factsOf(visit)).toEqual([]);
      expect((await get(`/v1/explain?eventId=${eventId}`)).status).toBe(404);
      expect((await get(`/v1/explain?clickId=${clickId}`)).status).toBe(404);
      // Its own id still tells the decision that is sealed into it, and nothing else.
      const told = (await get(`/v1/explain?requestId=${requestId}`)).json<ExplainAnswer>();
      expect(told).toMatchObject({ decision: { allowed: false }, events: [], served: [] });
    }
  });

  test("that is reported again under its idempotency key is not brought back", async () => {
    const { accept, report } = await withKey(service);
    const visit = await service.visit();
    const { requestId } = visit.decision;
    const event = { type: "impression", websiteKey: "ws_a", offerId: visit.offers[0]?.id, requestId };
    const given = { headers: { "Idempotency-Key": "once" } };
    const { id } = await accept(event, given);
    await run("--request", requestId, "--yes");
    expect((await report(event, given)).json()).toMatchObject({ id });
    expect(factsOf(visit)).toEqual([]);
  });

  test("loses its decline session", async () => {
    const { open } = await withSecret(service);
    await open();
    const [session] = service.stored.sessions();
    const key = Buffer.from(session?.request as Uint8Array).toString("base64url");
    // Nothing has happened of which it could be the event: the key is what it names.
    const eventId = `evt_${key}${Buffer.from([0, 0, 0, 0, 1, 0, 0, 0]).toString("base64url")}`;
    const { out } = await run("--event", eventId, "--yes", "--json");
    expect(JSON.parse(out)).toMatchObject({ sessions: 1, events: 0 });
    expect(service.stored.sessions()).toEqual([]);
  });
});

describe("a website", () => {
  test("loses all that its visits have left, and another one nothing", async () => {
    const ofB = { website: "ws_b" };
    const visits = [await wholeVisit(), await wholeVisit({ from: "203.0.113.77" })];
    const other = await service.decide(ofB);
    await service.post("snippet-ping", {
      pub: "pub_a",
      websiteKey: "ws_a",
      scriptVersion: "1.0.0",
      url: "https://a.example/",
      surface: "overlay",
    });
    const [before, all] = [figures(), service.stored.table("fact").length];
    const { code, out } = await run("--website", "ws_a", "--yes", "--json");
    expect(code).toBe(0);
    const left = service.stored.table("fact").length;
    expect(JSON.parse(out)).toMatchObject({ websiteKey: "ws_a", events: all - left, pings: 1 });
    expect(service.stored.events().map(({ website_id }) => website_id)).toEqual([2]);
    expect(other.allowed).toBe(false);
    expect(service.stored.table("snippet_ping")).toEqual([]);
    for (const visit of visits) expect(factsOf(visit)).toEqual([]);
    expect(figures()).toEqual(before);
    await expectTrueBooks();
    // The website goes on.
    await wholeVisit({ from: "203.0.113.78" });
    await expectTrueBooks();
  });
});

test("a website that was deleted can be erased all the same, and reported", async () => {
  const visit = await wholeVisit();
  const { catalogue, context } = service;
  const { name } = await requireWebsite(catalogue.db, "ws_a");
  const own = { publisherId: "publisher_a", websiteKey: "ws_a" };
  await archiveWebsite(catalogue, own, { name, now: context.clock() });
  const { code, err } = await run("--website", "ws_a", "--yes");
  expect(code, err).toBe(0);
  expect(factsOf(visit)).toEqual([]);
  const report = await runBeside(service, ["report", "--website", "ws_a", "--today"]);
  expect(report.code).toBe(0);
});

test("a website that was deleted is listed apart, and whoever looks for it is told so", async () => {
  const { catalogue, context } = service;
  const { name } = await requireWebsite(catalogue.db, "ws_wild");
  const own = { publisherId: "publisher_a", websiteKey: "ws_wild" };
  const listed = async (...words: string[]) => {
    const { code, out, err } = await runBeside(service, ["website", "list", ...words]);
    expect(code, err).toBe(0);
    return out;
  };
  expect(JSON.parse(await listed("--deleted", "--json"))).toEqual([]);
  await archiveWebsite(catalogue, own, { name, now: context.clock() });
  expect(await listed()).not.toContain("ws_wild");
  expect(await listed("--deleted")).toMatch(/ws_wild +publisher_a +\w+ +2026-11-20 +ws_wild/);
  expect(JSON.parse(await listed("--deleted", "--publisher", "publisher_a", "--json"))).toMatchObject([
    { websiteKey: "ws_wild", name, deletedAt: context.clock() },
  ]);
  expect(JSON.parse(await listed("--deleted", "--publisher", "publisher_b", "--json"))).toEqual([]);
  const shown = await runBeside(service, ["website", "show", "--website", "ws_wild"]);
  expect(shown.code).toBe(2);
  expect(shown.err).toContain('the website "ws_wild" was deleted on 2026-11-20; report, activity and erase');
});

describe("nothing is erased", () => {
  test.each([
    ["without --yes", ["--website", "ws_a"], "add --yes"],
    ["of nothing", ["--yes"], "name one thing"],
    ["of two things", ["--website", "ws_a", "--request", "req_x", "--yes"], "name one thing"],
    ["of an unknown website", ["--website", "ws_none", "--yes"], "--website"],
    ["of what is no requestId", ["--request", "req_x", "--yes"], "--request"],
    ["of what is no event", ["--event", "evt_x", "--yes"], "--event"],
    ["of a click that is not there", ["--click", "AAAAAAAAAAAAAAAAAAAAAA", "--yes"], "--click"],
  ])("%s", async (_, args, told) => {
    await wholeVisit();
    const before = service.stored.table("fact");
    const { code, err } = await run(...args);
    expect(code).toBe(2);
    expect(err).toContain(told);
    expect(service.stored.table("fact")).toEqual(before);
  });
});

test("what keeps it from going on does not undo what was deleted, and the message says so", async () => {
  const { decision } = await wholeVisit();
  await whileLocked(service.catalogue.db, async () => {
    const { code, err } = await run("--request", decision.requestId, "--yes");
    expect(code).toBe(3);
    expect(err).toMatch(/locked for seconds; what was deleted until then stays deleted, so run it once more/);
    expect(err).not.toContain("nothing was changed");
  });
});
