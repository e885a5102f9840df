import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestService, type TestService } from "../testing/test-service.ts";
import { runBeside } from "./run-for-tests.ts";

let service: TestService;
const admin = (...words: string[]) => runBeside(service, ["clicks", ...words]);
const listed = async (...words: string[]) => JSON.parse((await admin(...words, "--json")).out).items;

/** Somebody at this address follows the offer of the brand, as often as it says. */
const click = async (from: string, { website = "ws_a", brand = "Best", times = 1 } = {}) => {
  const { offers } = await service.visit({ from, website });
  const url = offers.find((offer) => offer.brand === brand)?.url ?? "";
  const landed: string[] = [];
  for (let time = 0; time < times; time += 1) {
    landed.push((await service.follow(url, { from })).headers.location as string);
  }
  return landed;
};

let landed: string[];
beforeAll(async () => {
  service = await startTestService();
  const offer = ["offer", "update", "--offer", "offer_best", "--landing-url"];
  await runBeside(service, [...offer, "https://best.example/?c={click_id}"]);
  landed = await click("203.0.113.1", { times: 2 });
  landed.push(...(await click("203.0.113.2", { website: "ws_b" })));
  landed.push(...(await click("203.0.113.3", { website: "ws_dev" })));
  await click("203.0.113.4", { brand: "Thousand" });
});
afterAll(() => service.close());

test("each click of an offer is listed by the id that its landing page was told, and what became of it", async () => {
  const clicks = await listed("--offer", "offer_best");
  const told = landed.map((url) => new URL(url).searchParams.get("c"));
  expect(clicks.map(({ clickId }: { clickId: string }) => clickId)).toEqual(told);
  const common = { offerId: "offer_best", country: "DE", region: "", currency: "EUR" };
  expect(clicks).toMatchObject([
    { ...common, websiteKey: "ws_a", billedMicros: 400_000, reason: null, test: false },
    { ...common, websiteKey: "ws_a", billedMicros: null, reason: "duplicate", test: false },
    { ...common, websiteKey: "ws_b", billedMicros: 400_000, reason: null, test: false },
    { ...common, websiteKey: "ws_dev", billedMicros: null, reason: null, test: true },
  ]);
});

test("of an advertiser those on all its offers, and in words why each was not billed", async () => {
  const { out, code } = await admin("--advertiser", "advertiser_1");
  expect(code).toBe(0);
  const ends = out
    .trimEnd()
    .split("\n")
    .slice(1)
    .map((line) => line.split(/ {2,}/).slice(5).join(" "));
  const one = "0.40 EUR";
  expect(ends).toEqual([one, "- duplicate", one, "- test traffic", "- no price of a click"]);
});

test("a link that is followed the day after is a click of that day", async () => {
  const { offers } = await service.visit({ from: "203.0.113.5" });
  service.moveClock(12 * 3_600_000);
  await service.follow(offers.find(({ brand }) => brand === "Best")?.url ?? "", { from: "203.0.113.5" });
  const on = async (day: string) =>
    (await listed("--offer", "offer_best", "--from", day, "--to", day)).length;
  expect([await on("2026-11-20"), await on("2026-11-21"), await on("2026-11-22")]).toEqual([4, 1, 0]);
});

test("of another advertiser's offers nothing is listed", async () => {
  const words = ["advertiser", "create", "--name", "Other", "--balance-micros", "0", "--json"];
  const { advertiserId } = JSON.parse((await runBeside(service, words)).out);
  expect((await admin("--advertiser", advertiserId)).out).toBe("no link was followed\n");
});

test("as CSV each is a line", async () => {
  const { out } = await admin("--offer", "offer_best", "--csv");
  const [titles, ...lines] = out.trimEnd().split("\r\n");
  expect(titles).toBe(
    "at,clickId,offerId,websiteKey,country,region,placement,test,reason,billedMicros,currency",
  );
  expect(lines).toHaveLength(5);
  expect(lines[1]).toMatch(/^2026-\S+Z,[\w-]{22},offer_best,ws_a,DE,,\w+,false,duplicate,,EUR$/);
});

test.each([
  ["2026-01-01", "2026-01-02"],
  ["2027-01-01", "2027-01-02"],
])("of other days, %s to %s, there is none", async (from, to) => {
  expect((await admin("--offer", "offer_best", "--from", from, "--to", to)).out).toBe(
    "no link was followed\n",
  );
});

test.each([
  [[], "--offer or by --advertiser"],
  [["--offer", "offer_best", "--advertiser", "advertiser_1"], "by one of the two"],
  [["--offer", "offer_none"], "--offer: "],
  [["--advertiser", "advertiser_none"], "--advertiser: no advertiser"],
  [["--offer", "offer_best", "--from", "2026-02-30"], "--from: must be a date"],
])("%j is refused", async (words, says) => {
  const { code, err } = await admin(...words);
  expect([code, err]).toEqual([2, expect.stringContaining(says)]);
});
