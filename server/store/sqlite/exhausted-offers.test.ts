import { tmpdir } from "node:os";
import { expect, onTestFinished, test } from "vitest";
import { dayNumber } from "../../core/utc-day.ts";
import { addAdvertiser, addOffer, hop, morning, served, visitOf } from "../conformance/journal-for-tests.ts";
import { prepareExhaustedOffers } from "./exhausted-offers.ts";
import { newCatalogueFile } from "./file-for-tests.ts";
import { prepareBatchWriter } from "./write-batch.ts";

const today = dayNumber(morning);

const newOffers = async () => {
  const { db, sqlite, close } = await newCatalogueFile(tmpdir());
  onTestFinished(close);
  await addAdvertiser(db, "advertiser_1", 2500);
  await addAdvertiser(db, "advertiser_2", 10_000_000);
  const offer = { advertiser: "advertiser_1", payoutMicros: 1000 };
  const dear = await addOffer(db, { ...offer, id: "offer_dear", payoutMicros: 2000 });
  const cheap = await addOffer(db, { ...offer, id: "offer_cheap" });
  const daily = await addOffer(db, {
    ...offer,
    advertiser: "advertiser_2",
    id: "offer_daily",
    daily_click_cap: 1,
  });
  const even = await addOffer(db, {
    ...{ ...offer, advertiser: "advertiser_2", id: "offer_even", pacing: "even" },
    ...{ daily_click_cap: 10, daily_budget_micros: 4000 },
  });
  const writer = prepareBatchWriter(sqlite);
  let visits = 0;
  const clickAt = (number: number, ...times: number[]) => {
    const clicked = times.map((at) => visitOf(`r${++visits}`, { at }));
    writer.write(
      clicked.flatMap((visit) => [served(visit, [number]), hop(visit, number)]),
      0,
    );
    return writer.takeExhausted();
  };
  const click = (number: number) => [...new Set(clickAt(number, morning).map(({ offer }) => offer))];
  return { sqlite, click, clickAt, dear, cheap, daily, even, poll: prepareExhaustedOffers(sqlite) };
};

test("a poll tells nothing where nothing was charged, and all that has run out where something was", async () => {
  const { poll, click, dear, daily } = await newOffers();
  expect(poll.changed(today, false)?.exhausted).toEqual([]);
  expect(poll.changed(today, false)).toBeNull();
  click(daily);
  expect(poll.changed(today, false)?.exhausted).toEqual([daily]);
  expect(poll.changed(today, false)).toBeNull();
  click(dear);
  expect(poll.changed(today, false)?.exhausted.toSorted()).toEqual([dear, daily]);
});

test("a balance runs out for the dearer offers first, charged or not", async () => {
  const { poll, click, dear, cheap } = await newOffers();
  expect(click(cheap)).toEqual([]);
  // Its advertiser has 1,500 left, which nobody has charged for the dear one yet: the poll finds it.
  expect(poll.changed(today, false)?.exhausted).toEqual([dear]);
  expect(click(cheap).toSorted()).toEqual([dear, cheap]);
});

test("a new day opens what had a daily cap, and a change of the catalogue what it has raised", async () => {
  const { poll, click, daily, sqlite } = await newOffers();
  click(daily);
  expect(poll.changed(today, false)?.exhausted).toEqual([daily]);
  expect(poll.changed(today + 1, false)?.exhausted).toEqual([]);
  expect(poll.changed(today, false)?.exhausted).toEqual([daily]);
  sqlite.exec("update offer set daily_click_cap = 2");
  expect(poll.changed(today, true)?.exhausted).toEqual([]);
});

test("an offer that has run out is told with the charge that used it up, and with each that is refused", async () => {
  const { click, daily } = await newOffers();
  expect(click(daily)).toEqual([daily]);
  expect(click(daily)).toEqual([daily]);
});

test("an offer has run out by the last day that it was charged for, in whatever order the days come", async () => {
  const { clickAt, even } = await newOffers();
  const [before, next] = [morning - 86_400_000, morning + 86_400_000];
  expect(clickAt(even, morning, morning, morning, morning, before)).toEqual([{ offer: even, day: today }]);
  expect(clickAt(even, next, morning)).toEqual([]);
});

test("what is reported late runs out by the cap of its own day, or by that of all days on any", async () => {
  const { clickAt, daily, even, sqlite } = await newOffers();
  sqlite.exec("update offer set total_click_cap = 1 where id = 'offer_even'");
  const before = morning - 86_400_000;
  expect(clickAt(daily, before)).toEqual([{ offer: daily, day: today - 1 }]);
  expect(clickAt(even, before)).toEqual([{ offer: even, day: null }]);
});

test("a poll tells how far an offer has come whose budget is spread over the day, by the cap that is nearer", async () => {
  const { poll, click, even, daily, sqlite } = await newOffers();
  const spent = (day: number, spentShare: number) => [{ offer: even, day, spentShare, createdAt: morning }];
  expect(poll.changed(today, false)?.paced).toEqual(spent(today, 0));
  click(even);
  expect(poll.changed(today, false)?.paced).toEqual(spent(today, 0.25));
  click(daily);
  expect(poll.changed(today, false)?.paced).toEqual(spent(today, 0.25));
  expect(poll.changed(today + 1, false)?.paced).toEqual(spent(today + 1, 0));
  sqlite.exec("update offer set daily_budget_micros = 20000 where id = 'offer_even'");
  expect(poll.changed(today, true)?.paced).toEqual(spent(today, 0.1));
  sqlite.exec("update offer set pacing = 'asap'");
  expect(poll.changed(today, true)?.paced).toEqual([]);
});
