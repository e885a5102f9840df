import { afterAll, expect, test } from "vitest";
import { newOperator } from "./operator-for-tests.ts";

const operator = newOperator();
afterAll(() => operator.leave());

test("rates are set, listed and taken back, and offers without one are named", async () => {
  const { advertiserId } = await operator.done(
    "advertiser create --name A --currency CHF --balance-micros 0",
  );
  const words = (currency: string) => [
    ...["--advertiser", advertiserId, "--brand", "B", "--vertical", "travel", "--title", "T", "--geo", "*"],
    ...["--payout-model", "CPC", "--payout-micros", "1000", "--currency", currency],
    ...["--landing-url", "https://b.example/?c={click_id}"],
  ];
  const before = await operator.run(["offer", "create", ...words("CHF")]);
  expect([before.code, before.err]).toEqual([0, ""]);
  expect(await operator.done("currency list")).toEqual([{ currency: "CHF", rate: null, offers: 1 }]);

  const set = await operator.run("currency set --currency EUR --rate 1".split(" "));
  expect(set.err).toContain("CHF has no rate: its offers (1) are ranked last");
  const shown = await operator.run(["offer", "create", ...words("CHF")]);
  expect(shown.err).toContain("CHF has no rate: its offers (2) are ranked last");
  const done = await operator.run("currency set --currency CHF --rate 1.05".split(" "));
  expect(done.err).toBe("");
  expect(await operator.done("currency list")).toEqual([
    { currency: "CHF", rate: 1.05, offers: 2 },
    { currency: "EUR", rate: 1, offers: 0 },
  ]);
  await operator.done("currency remove --currency CHF");
  expect(await operator.done("currency list")).toMatchObject([{ currency: "CHF", rate: null }, { rate: 1 }]);
});

test.each(["0", "-1", "1e3", "a", "1,5", "0.0"])("%s is no rate", async (rate) => {
  const { code } = await operator.run(["currency", "set", "--currency", "USD", "--rate", rate]);
  expect(code).toBe(2);
});

test("a rate that nobody has set cannot be taken back", async () => {
  expect((await operator.run("currency remove --currency SEK".split(" "))).code).toBe(2);
});

test("a website takes a floor price, and none at all", async () => {
  const { publisherId } = await operator.done("publisher create --name P");
  const { websiteKey } = await operator.done(
    "website create --floor-micros 1500000 --floor-currency CHF --name W --origin https://w.example --publisher",
    publisherId,
  );
  expect(await operator.done("website show --website", websiteKey)).toMatchObject({
    floor: { micros: 1_500_000, currency: "CHF" },
  });
  await operator.done("website update --floor-micros 0 --website", websiteKey);
  expect(await operator.done("website show --website", websiteKey)).toMatchObject({
    floor: { micros: 0, currency: "CHF" },
  });
});
