import { readdirSync } from "node:fs";
import type { ExplainAnswer } from "@offers/contract/explain";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTokenKeys } from "../core/token-keys.ts";
import { fewPlaces } from "../store/catalogue/catalogue-for-tests.ts";
import { updateOffer } from "../store/catalogue/offers.ts";
import { engineOfTests } from "../testing/engine-of-tests.ts";
import { withKey } from "../testing/key-calls.ts";
import { startTestService, type TestService } from "../testing/test-service.ts";
import type { Visit } from "../testing/visitor-journeys.ts";
import { environmentOf } from "./operator-for-tests.ts";
import { runBeside } from "./run-for-tests.ts";

/** What the service of these tests seals with, as an operator has it. */
const secret = "a secret that only the tests have";

let service: TestService;
let visit: Visit;
beforeAll(async () => {
  service = await startTestService();
  visit = await service.visit();
  await service.follow(visit.offers[0]?.url ?? "");
});
afterAll(() => service.close());

const run = (...args: string[]) => runBeside(service, ["explain", ...args], { TOKEN_SECRET: secret });

type Priced = Omit<ExplainAnswer, "offers" | "served" | "events"> & {
  offers: (ExplainAnswer["offers"][number] & {
    payoutMicros: number;
    score: {
      total: number;
      perView: number;
      perClick: number;
      drawnRate: number | null;
      meanRate: number;
      websiteFactor: number;
    } | null;
  })[];
  served: (ExplainAnswer["served"][number] & { priceMicros: number })[];
  events: (ExplainAnswer["events"][number] & { billedMicros: number | null })[];
};

test("a request is explained as its publisher is told, and with what the scores come of", async () => {
  expect(createTokenKeys({ current: secret }).sealing.fingerprint).toBe(
    service.context.tokenKeys.sealing.fingerprint,
  );
  const { requestId } = visit.decision;
  const { get } = await withKey(service);
  const told = (await get(`/v1/explain?requestId=${requestId}`)).json<ExplainAnswer>();
  const { code, out } = await run("--request", requestId, "--json");
  expect(code).toBe(0);
  const answer = JSON.parse(out) as Priced;
  const standing = ({ offers }: { offers: ExplainAnswer["offers"] }) =>
    Object.fromEntries(offers.map(({ offerId, rank, removedBy }) => [offerId, rank ?? removedBy]));
  expect(standing(answer)).toEqual(standing(told));
  expect([answer.considered, answer.removed]).toEqual([told.considered, told.removed]);
  expect(answer.events).toMatchObject(told.events);
  expect(answer.served).toMatchObject(told.served);
  expect(answer.decision).toMatchObject({
    allowed: false,
    country: "DE",
    catalogueVersion: expect.any(Number),
  });
  expect(answer.now).toMatchObject({ ...told.now, catalogueVersion: expect.any(Number) });
  for (const { rank, removedBy, score } of answer.offers) {
    expect(score === null).toBe(rank === null);
    expect(removedBy === null).toBe(score !== null);
    if (score === null) continue;
    // The currencies have no rates here, so every score is one that cannot be compared with another currency's.
    const revenue = score.perView + score.perClick * (score.drawnRate ?? 0);
    expect(score.total).toBeCloseTo(-1 / (1 + revenue), 9);
  }
  expect(answer.served.map(({ priceMicros }) => priceMicros)).toContain(400_000);
  expect(answer.events.map(({ billedMicros }) => billedMicros)).toContain(500_000);
});

test("what a click is worth goes by the offer's own conversion rate, where it has one", async () => {
  const worth = async () => {
    const { out } = await run("--request", visit.decision.requestId, "--json");
    return (JSON.parse(out) as Priced).offers.find(({ offerId }) => offerId === "offer_lead")?.score
      ?.perClick;
  };
  const rated = (conversionRateBasisPoints: number | null) =>
    service.change((db) => updateOffer(db, "offer_lead", { conversionRateBasisPoints }, fewPlaces));
  expect(await worth()).toBeCloseTo(9_000_000 * 0.05, 6);
  await rated(1);
  expect(await worth()).toBeCloseTo(900, 6);
  await rated(null);
});

test("the rates that it tells are those of the website and the surface", async () => {
  const scores = async () => {
    const { out } = await run("--request", visit.decision.requestId, "--json");
    return (JSON.parse(out) as Priced).offers.flatMap(({ score }) => score ?? []);
  };
  const usual = await scores();
  const [website = { id: 0 }] = await service.catalogue.db
    .selectFrom("website")
    .select("id")
    .where("key", "=", "ws_a")
    .execute();
  const counts = { clicks: 180, expected_millionths: 80_000_000, changed: 1 };
  const there = { website_id: website.id, surface: "overlay", ...counts } as const;
  await service.catalogue.db.insertInto("website_rate").values(there).execute();
  const doubled = await scores();
  await service.empty(["website_rate"]);
  expect(usual.length).toBeGreaterThan(1);
  expect(new Set(usual.map(({ websiteFactor }) => websiteFactor))).toEqual(new Set([1]));
  expect(new Set(doubled.map(({ websiteFactor }) => websiteFactor))).toEqual(new Set([2]));
  const sum = (some: typeof usual) => some.reduce((all, { meanRate }) => all + meanRate, 0);
  expect(sum(doubled)).toBeCloseTo(2 * sum(usual), 9);
});

test("an event and a click are found, and read as text", async () => {
  const [click] = service.stored.events("click");
  const byEvent = await run("--event", String(click?.id));
  const byClick = await run("--click", String(click?.click_id));
  expect(byEvent).toEqual(byClick);
  expect(byEvent).toMatchObject({ code: 0, err: "" });
  expect(byEvent.out).toMatch(/^decided now +country_not_allowed by mode$/m);
  expect(byEvent.out).toMatch(/^located by +a database of the operator's of 2026-11-01, 19 days old then$/m);
  expect(byEvent.out).toMatch(/^1 +offer_premium +CPC +0\.50 +EUR/m);
  expect(byEvent.out).toMatch(/^no_offer_for_location +offer_french +CPC +0\.90 +EUR/m);
  const lines = byEvent.out.split("\n");
  for (const label of ["Served:", "Events:"]) {
    const [titles = "", first = ""] = lines.slice(lines.indexOf(label) + 1);
    expect(first.indexOf("offer_")).toBe(label === "Served:" ? titles.indexOf("OFFER") : -1);
    expect(titles).toMatch(/^AT /);
  }
  expect(byEvent.out).toMatch(new RegExp(`click +offer_premium +counts +0\\.50 +${click?.id}`));
});

test("a visitor who was let through is explained by what the requestId holds", async () => {
  const { requestId } = await service.decide({ from: "198.51.100.7" });
  const answer = JSON.parse((await run("--request", requestId, "--json")).out) as ExplainAnswer;
  expect(answer.decision).toMatchObject({ allowed: true, country: "US", region: "NJ" });
  expect(answer.now.rule).toEqual({ line: "entry", mode: "allowlist", entry: "US-NJ" });
});

test.each([
  [[], "name one request"],
  [["--click", "A".repeat(22), "--event", "evt_A"], "name one request"],
  [["--request", `req_${"A".repeat(80)}`], "--request: names nothing that is kept"],
  [["--event", "evt_none"], "--event: names nothing that is kept"],
  [["--click", "A".repeat(22)], "--click: names nothing that is kept"],
  [["--click", "short"], "--click: must be the id of a click"],
])("%j is refused", async (args, message) => {
  const { code, err } = await run(...args);
  expect([code, err]).toEqual([2, expect.stringContaining(message)]);
});

// A database that nodes share asks for a secret that all of them are told.
test.skipIf(engineOfTests !== "sqlite")("a command line that is told no secret makes none", async () => {
  const dataDir = environmentOf(service.address, service.dataDir).DATA_DIR ?? "";
  const before = readdirSync(dataDir);
  const words = ["explain", "--request", visit.decision.requestId];
  const asked = await runBeside(service, words, { TOKEN_SECRET: "" });
  expect(asked).toMatchObject({ code: 2, err: expect.stringContaining("--request: ") });
  expect(readdirSync(dataDir)).toEqual(before);
});
