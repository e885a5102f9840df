import { afterAll, beforeAll, expect, test } from "vitest";
import { openRequestId } from "../core/request-id.ts";
import { seededRandom } from "../core/seeded-random.ts";
import { simulateVisit } from "../core/simulation.ts";
import { byTests } from "../store/catalogue/catalogue-for-tests.ts";
import { openCatalogue } from "../store/open-store.ts";
import type { Observed } from "../testing/observe-database.ts";
import { fillRandomly, geoOfPlaces, randomVisit, visitedWebsites } from "../testing/random-visits.ts";
import { startTestService, type TestService } from "../testing/test-service.ts";
import { newOperator } from "./operator-for-tests.ts";
import { standingAt } from "./standing.ts";

const random = seededRandom(20_261_122);

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ geo: geoOfPlaces });
  await fillRandomly(service, random);
});
afterAll(() => service.close());

test("200 random visits of each of five websites are answered as they are simulated", async () => {
  const saved = await openCatalogue({ database: service.address, ...byTests });
  const standing = await standingAt(service.context.clock(), saved);
  await saved.close();
  const met = { allowed: 0, blocked: 0, offers: 0, reasons: new Set<string>() };
  for (const key of visitedWebsites) {
    const website = standing.catalogue.website(key);
    if (website === undefined) throw new Error(`no website ${key}`);
    for (let visit = 0; visit < 200; visit += 1) {
      const { from, location, surface, headers, visitor } = randomVisit(random);
      const query = surface === "section" ? "&mode=section" : "";
      const { decision, answer, offers } = await service.visit({ headers, website: key, from, query });
      const facts = openRequestId(service.context.tokenKeys, decision.requestId);
      const request = facts?.request ?? "";
      const { verdict, choice } = simulateVisit({ website, location, surface, request, visitor }, standing);
      expect(verdict.allowed).toBe(decision.allowed);
      if (!verdict.allowed) expect(verdict.reason).toBe(decision.blocked?.reason);
      expect(offers.map(({ id }) => id)).toEqual([...choice.premium, ...choice.standard].map(({ id }) => id));
      expect(answer.emptyReason ?? null).toBe(choice.emptyReason);
      met[verdict.allowed ? "allowed" : "blocked"] += 1;
      met.offers += offers.length;
      if (choice.emptyReason !== null) met.reasons.add(choice.emptyReason);
    }
  }
  expect(Math.min(met.allowed, met.blocked)).toBeGreaterThan(100);
  expect(met.offers).toBeGreaterThan(500);
  expect(met.reasons.size).toBeGreaterThan(1);
});

/** How many rows each table has. */
const rowsOfTables = ({ stored: { tables, table } }: Pick<Observed, "stored">) =>
  tables().map((name) => [name, table(name).length] as const);

const operator = newOperator();
const landing = "--landing-url https://b.example/?c={click_id}";
afterAll(() => operator.leave());

test("the command tells verdict and offers, and records nothing", async () => {
  const { publisherId } = await operator.done("publisher create --name P");
  const { websiteKey } = await operator.done(
    "website create --name W --origin https://w.example --geo-mode blocklist --geo-entries DE --publisher",
    publisherId,
  );
  const simulate = (...words: string[]) => operator.done("simulate --website", websiteKey, ...words);
  const place = { country: "DE", region: "", surface: "overlay" };
  expect(await simulate("--country", "de")).toEqual({
    websiteKey,
    ...place,
    allowed: false,
    reason: "country_blocked",
    emptyReason: "allowlist_empty",
    offers: [],
    others: [],
  });
  await operator.done("allowlist set --mode all --website", websiteKey);
  const { advertiserId } = await operator.done("advertiser create --name A --balance-micros 1000000");
  const words = "--vertical travel --title T --geo * --payout-model CPC --payout-micros 1000";
  const [{ offerId }, { offerId: paused }] = [
    await operator.done(`offer create --brand B ${words} ${landing} --advertiser`, advertiserId),
    await operator.done(`offer create --brand C ${words} ${landing} --advertiser`, advertiserId),
  ];
  await operator.done("offer pause --offer", paused);
  const before = await operator.observe(rowsOfTables);
  const offer = { placement: "premium", position: 1, offerId, brand: "B", title: "T" };
  const price = { payoutModel: "CPC", payoutMicros: 1000, currency: "EUR" };
  expect(await simulate("--country", "DE")).toMatchObject({
    emptyReason: null,
    offers: [{ ...offer, ...price }],
    others: [
      { offerId: paused, brand: "C", vertical: "travel", title: "T", rank: null, removedBy: "paused" },
    ],
  });
  expect(await simulate("--country", "FR")).toMatchObject({
    allowed: true,
    emptyReason: "visitor_allowed",
    others: [{ removedBy: "visitor_allowed" }, { removedBy: "visitor_allowed" }],
  });
  expect(await simulate("--country", "FR", "--surface", "section")).toMatchObject({
    allowed: true,
    emptyReason: null,
    offers: [{ offerId }],
  });
  expect(await simulate("--country", "ZZ")).toMatchObject({ allowed: true, country: "ZZ" });
  for (const region of ["NJ", "us-nj"]) {
    expect(await simulate("--country", "US", "--region", region)).toMatchObject({
      ...{ country: "US", region: "NJ" },
    });
  }
  expect(await operator.observe(rowsOfTables)).toEqual(before);

  const { out } = await operator.run(["simulate", "--website", websiteKey, "--country", "DE"]);
  expect(out).toContain("country_blocked");
  expect(out).toMatch(new RegExp(`premium 1 +${offerId} +CPC +0\\.001 +EUR +B: T`));
  expect(out).toMatch(new RegExp(`paused +${paused} +C: T`));
});

test("an operator is told whose word it is that an offer is not offered", async () => {
  const own = newOperator();
  try {
    const [{ publisherId }, { publisherId: other }] = [
      await own.done("publisher create --name P"),
      await own.done("publisher create --name Q"),
    ];
    const { websiteKey } = await own.done(
      "website create --name W --origin https://w.example --geo-mode blocklist --geo-entries DE --publisher",
      publisherId,
    );
    await own.done("allowlist set --mode all --website", websiteKey);
    const { advertiserId } = await own.done("advertiser create --name A --balance-micros 1000000");
    const words = "--vertical travel --title T --geo * --payout-model CPC --payout-micros 1000";
    const { offerId } = await own.done(
      `offer create --brand B --only-publishers ${other} ${words} ${landing} --advertiser`,
      advertiserId,
    );
    const simulated = () => own.run(["simulate", "--website", websiteKey, "--country", "DE"]);
    expect(await simulated()).toMatchObject({
      code: 0,
      out: expect.stringMatching(new RegExp(`not_offered +${offerId} +B: T`)),
      err: "note: not_offered: --only-publishers or --except-publishers of the offer keeps it from this publisher\n",
    });
    await own.done("offer update --only-publishers", `${other},${publisherId}`, "--offer", offerId);
    expect(await simulated()).toMatchObject({ code: 0, out: expect.stringContaining("premium 1"), err: "" });
  } finally {
    await own.leave();
  }
});

test("an offer is worth what its conversion rate makes of it, in a simulation", async () => {
  const own = newOperator();
  try {
    const { publisherId } = await own.done("publisher create --name P");
    const { websiteKey } = await own.done(
      "website create --name W --origin https://w.example --geo-mode blocklist --geo-entries DE --floor-micros 1000000 --publisher",
      publisherId,
    );
    await own.done("allowlist set --mode all --website", websiteKey);
    const { advertiserId } = await own.done("advertiser create --name A --balance-micros 1000000");
    const words = "--vertical travel --title T --geo * --payout-model CPA --payout-micros 100000000";
    const { offerId } = await own.done(
      `offer create --brand B --conversion-rate-basis-points 1 ${words} ${landing} --advertiser`,
      advertiserId,
    );
    const simulated = async () => {
      const { offers, others } = await own.done("simulate --country DE --website", websiteKey);
      return [...offers, ...others].map((one: { placement?: string; removedBy?: string }) => [
        ...[one.placement, one.removedBy].filter((word) => word !== undefined),
      ]);
    };
    expect(await simulated()).toEqual([["no_offer_for_visit"]]);
    await own.done("offer update --conversion-rate-basis-points 10000 --offer", offerId);
    expect(await simulated()).toEqual([["premium"]]);
    await own.done("offer update --conversion-rate-basis-points none --offer", offerId);
    expect(await simulated()).toEqual([["premium"]]);
  } finally {
    await own.leave();
  }
});

test.each([
  [["--country", "UK"], "UK is written GB"],
  [["--country", "XX"], "must be a country of ISO 3166-1 such as DE"],
  [["--country", "US", "--region", "ZZ"], "must be a region of US by ISO 3166-2"],
  [
    ["--country", "AU", "--region", "US-WA"],
    "must be a region of AU by ISO 3166-2: US-WA names another country",
  ],
  [["--country", "DE", "--limit", "21"], "at most 20"],
])("%j is refused", async (words, message) => {
  const { code, err } = await operator.run(["simulate", "--website", "ws_any", ...words]);
  expect(code).toBe(2);
  expect(err).toContain(message);
});

test("a website that is none is named", async () => {
  const { code, err } = await operator.run("simulate --website ws_none --country DE".split(" "));
  expect(code).toBe(2);
  expect(err).toContain("ws_none");
});
