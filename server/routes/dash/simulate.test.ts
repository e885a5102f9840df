import type { SimulateAnswer } from "@offers/contract/dash/looking";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { openRequestId } from "../../core/request-id.ts";
import { seededRandom } from "../../core/seeded-random.ts";
import { type DashCalls, signedIn } from "../../testing/dash-calls.ts";
import { withSecret } from "../../testing/decline-calls.ts";
import { fillRandomly, geoOfPlaces, randomVisit, visitedWebsites } from "../../testing/random-visits.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";
import { wholeDatabase } from "../../testing/whole-database.ts";

const random = seededRandom(20_261_123);

let service: TestService;
let viewer: DashCalls;
beforeAll(async () => {
  service = await startTestService({ geo: geoOfPlaces });
  await fillRandomly(service, random);
  viewer = await signedIn(service, { publishers: { publisher_a: "viewer", publisher_b: "viewer" } });
});
afterAll(() => service.close());

const publisherOf = (website: string) =>
  ["ws_b", "ws_empty"].includes(website) ? "publisher_b" : "publisher_a";
const pathOf = (website: string) =>
  `/dash/api/publishers/${publisherOf(website)}/websites/${website}/simulate`;
const simulate = async (website: string, asked: Record<string, string>): Promise<SimulateAnswer> => {
  const answer = await viewer.get(`${pathOf(website)}?${new URLSearchParams(asked)}`);
  if (answer.status !== 200) throw new Error(`not simulated: ${answer.status} ${answer.text}`);
  return answer.json<SimulateAnswer>();
};

test("200 random visits of each of five websites are answered as they are simulated", async () => {
  const met = { allowed: 0, blocked: 0, offers: 0, reasons: new Set<string>() };
  for (const website of visitedWebsites) {
    for (let visit = 0; visit < 200; visit += 1) {
      const { from, location, surface, headers, visitor } = randomVisit(random);
      const query = surface === "section" ? "&mode=section" : "";
      const { decision, answer, offers } = await service.visit({ headers, website, from, query });
      const draw = openRequestId(service.context.tokenKeys, decision.requestId)?.request ?? "";
      const simulated = await simulate(website, { ...location, surface, ...visitor, draw });
      expect(simulated.allowed).toBe(decision.allowed);
      expect(simulated.reason ?? undefined).toBe(decision.blocked?.reason);
      expect(simulated.emptyReason).toBe(answer.emptyReason ?? null);
      const shown = [...simulated.premium, ...simulated.standard];
      expect(shown).toEqual(offers.map(({ id }) => id));
      const ranked = simulated.offers.filter(({ rank }) => rank !== null);
      ranked.sort((one, other) => (one.rank ?? 0) - (other.rank ?? 0));
      expect(ranked.slice(0, shown.length).map(({ offerId }) => offerId)).toEqual(shown);
      met[decision.allowed ? "allowed" : "blocked"] += 1;
      met.offers += offers.length;
      if (simulated.emptyReason !== null) met.reasons.add(simulated.emptyReason);
    }
  }
  expect(Math.min(met.allowed, met.blocked)).toBeGreaterThan(100);
  expect(met.offers).toBeGreaterThan(500);
  expect(met.reasons.size).toBeGreaterThan(1);
}, 60_000);

describe("a simulated visit", () => {
  it("leaves nothing behind", async () => {
    // Whose session was used within this minute: that a session is used at all is noted.
    viewer = await signedIn(service, { publishers: { publisher_a: "viewer", publisher_b: "viewer" } });
    const before = wholeDatabase(service);
    for (const website of visitedWebsites) {
      for (const surface of ["overlay", "section", "decline"])
        await simulate(website, { country: "DE", surface });
    }
    expect(wholeDatabase(service)).toEqual(before);
  });

  it("has a draw of its own, and is the same once more by that draw", async () => {
    await service.change(async () => undefined);
    const first = await simulate("ws_a", { country: "JP", surface: "section" });
    const draws = new Set([first.draw]);
    for (let time = 0; time < 5; time += 1) {
      draws.add((await simulate("ws_a", { country: "JP", surface: "section" })).draw);
    }
    expect(draws.size).toBe(6);
    expect(await simulate("ws_a", { country: "JP", surface: "section", draw: first.draw })).toEqual(first);
  });

  it("of one who declines is shown what the decline's reason leaves", async () => {
    const { decline } = await withSecret(service);
    const { requestId, answer } = await decline({ reason: "self_excluded" }, { from: "198.18.0.7" });
    const draw = openRequestId(service.context.tokenKeys, requestId)?.request ?? "";
    const simulated = await simulate("ws_a", {
      country: "DE",
      surface: "decline",
      reason: "Self-excluded",
      device: "desktop",
      draw,
    });
    expect(simulated).toMatchObject({ allowed: false, reason: null, rule: { line: "declined" } });
    expect([...simulated.premium, ...simulated.standard]).toEqual(
      [...answer.premium, ...answer.standard].map(({ id }) => id),
    );
  });

  it.each(["NJ", "us-nj"])("is in the region %s of its country", async (region) => {
    expect(await simulate("ws_a", { country: "US", region })).toMatchObject({ country: "US", region: "NJ" });
  });

  it("tells no price and no budget", async () => {
    const { text } = await viewer.get(`${pathOf("ws_a")}?country=DE&surface=section`);
    expect(text).not.toMatch(/payout|budget(?!s_exhausted)|micros|score|rate/i);
  });

  it.each([
    ["", "country"],
    ["country=XX", "country"],
    ["country=Germany", "country"],
    ["country=US&region=ZZ", "region"],
    ["country=AU&region=US-WA", "region"],
    ["country=DE&surface=window", "surface"],
    ["country=DE&device=watch", "device"],
    ["country=DE&draw=x", "draw"],
    ["country=DE&colour=red", "colour"],
  ])("is not made of %j", async (query, parameter) => {
    const answer = await viewer.get(`${pathOf("ws_a")}?${query}`);
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({ errors: [{ parameter }] });
  });

  it("of another publisher's website is as unknown as of one that there never was", async () => {
    const path = "/dash/api/publishers/publisher_a/websites";
    const others = await viewer.get(`${path}/ws_b/simulate?country=DE`);
    const unknown = await viewer.get(`${path}/ws_none/simulate?country=DE`);
    expect(others.status).toBe(404);
    expect(others.alike).toBe(unknown.alike);
  });
});
