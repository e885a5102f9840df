import { tmpdir } from "node:os";
import { afterEach, expect, test } from "vitest";
import {
  addAdvertiser,
  addOffer,
  hop,
  impression,
  served,
  visitOf,
} from "../conformance/journal-for-tests.ts";
import { newCatalogueFile } from "./file-for-tests.ts";
import { prepareRateChanges } from "./rate-counts.ts";
import { prepareBatchWriter } from "./write-batch.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const newRates = async () => {
  const { close, db, sqlite } = await newCatalogueFile(tmpdir());
  closing.push(close);
  await addAdvertiser(db, "advertiser_1", 1_000_000);
  await addOffer(db, { id: "offer_1", advertiser: "advertiser_1", payoutMicros: 1000 });
  return { sqlite, writer: prepareBatchWriter(sqlite), changes: prepareRateChanges(sqlite) };
};

test("counts of counted events come with a version, and each of them once", async () => {
  const { writer, changes } = await newRates();
  expect(changes(0)).toBeNull();
  const [seen, clicked, refused, tried] = [
    visitOf("seen"),
    visitOf("clicked"),
    visitOf("refused"),
    visitOf("tried", { test: true }),
  ];
  const visits = [seen, clicked, refused, tried];
  writer.write([...visits.map((visit) => served(visit, [1])), impression(seen, 1), hop(clicked, 1)], 0);
  writer.write([hop(refused, 1, ["bot"]), impression(tried, 1), impression(seen, 1)], 0);
  const place = { offer: 1, vertical: "games", country: "DE", placement: "standard" };
  expect(changes(5000)).toEqual({
    ...{ version: 1, websites: [] },
    counts: [{ ...place, impressions: 2, clicks: 1 }],
  });
  expect(changes(20_000)).toBeNull();
});

test("new counts are told five seconds after the last ones, and at once when the clock is set back", async () => {
  const { writer, changes } = await newRates();
  const see = (request: string): void => {
    writer.write([served(visitOf(request), [1]), impression(visitOf(request), 1)], 0);
  };
  see("r1");
  expect(changes(100_000)?.version).toBe(1);
  see("r2");
  expect(changes(104_999)).toBeNull();
  expect(changes(105_000)?.version).toBe(2);
  see("r3");
  expect(changes(60_000)?.version).toBe(3);
});

test("views weigh what their rows say, and what a website has learnt is told with the counts", async () => {
  const { sqlite, writer, changes } = await newRates();
  const [one, other] = [visitOf("r1"), visitOf("r2")];
  writer.write([served(one, [1]), impression(one, 1)], 0);
  sqlite.exec("update rate_count set impressions = 400, clicks = 8, surplus_milli = -80000");
  writer.write([served(other, [1]), hop(other, 1)], 0);
  const changed = changes(0);
  // Of 320 views' weight eight were clicked; by one click, of which a fortieth was expected, a view weighs 21 / 20.025.
  expect(changed?.websites).toEqual([{ websiteId: 1, surface: "overlay", clicks: 1, expected: 0.025 }]);
  expect(changed?.counts).toMatchObject([{ impressions: expect.closeTo(320 + 1.048, 6), clicks: 9 }]);
  sqlite.exec("update rate_count set impressions = 1, surplus_milli = -5000, changed = 9");
  sqlite.exec("update rate_version set version = 9");
  expect(changes(5000)).toMatchObject({ counts: [{ impressions: 0, clicks: 9 }], websites: [] });
});

test("an offer that a page claims to have seen elsewhere counts where it was handed out", async () => {
  const { writer, changes } = await newRates();
  const visit = visitOf("r1");
  writer.write([served(visit, [1]), { ...impression(visit, 1), placement: "premium" }], 0);
  expect(changes(0)?.counts).toMatchObject([{ placement: "standard", impressions: 1 }]);
});

test("an entry that fails alone takes no count of its neighbours away", async () => {
  const { writer, changes } = await newRates();
  const [one, other] = [visitOf("r1"), visitOf("r2")];
  const broken = { ...impression(visitOf("r3"), 1), visit: visitOf("r3", { websiteId: null as never }) };
  writer.write([served(one, [1]), served(other, [1]), impression(one, 1), broken, impression(other, 1)], 0);
  expect(changes(0)?.counts).toMatchObject([{ impressions: 2 }]);
});
