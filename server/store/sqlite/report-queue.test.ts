import { tmpdir } from "node:os";
import { websiteInput } from "@offers/contract/catalogue";
import { websiteKey } from "@offers/contract/ids";
import { expect, onTestFinished, test } from "vitest";
import type { ReportFilter } from "../../core/report-filter.ts";
import { StorageUnavailable } from "../../core/storage-unavailable.ts";
import { fewPlaces } from "../catalogue/catalogue-for-tests.ts";
import { createPublisher } from "../catalogue/publishers.ts";
import { createWebsite } from "../catalogue/websites.ts";
import { openStore } from "../open-store.ts";
import { newCatalogueFile } from "./file-for-tests.ts";

const filter: ReportFilter = {
  websites: [{ id: 1, key: websiteKey.parse("ws_1") }],
  from: "2026-11-01",
  to: "2026-11-30",
  test: false,
  eventTypes: [],
  groupBy: ["date"],
};

const openedStore = async () => {
  const catalogue = await newCatalogueFile(tmpdir());
  onTestFinished(() => catalogue.close());
  const { publisherId } = await createPublisher(catalogue, { name: "P" }, { now: 1 });
  const website = { publisherId, name: "W", origins: ["https://w.example"], vertical: "news" };
  await createWebsite(catalogue, websiteInput.parse(website), { now: 1, rules: fewPlaces });
  return openStore({
    database: { engine: "sqlite", file: catalogue.file, durability: "relaxed" },
    clock: () => 1,
    log: () => undefined,
  });
};

test("a change of the catalogue is read before a row of reports that came earlier", async () => {
  const store = await openedStore();
  const settled: string[] = [];
  const reports = Array.from({ length: 20 }, () =>
    store.report(filter, "json").then(() => settled.push("report")),
  );
  const reload = store.reload().then(() => settled.push("catalogue"));
  await Promise.all([...reports, reload]);
  expect(settled.indexOf("catalogue")).toBeLessThan(3);
  await store.close();
});

test("more than twenty reports at once are not taken on, and after those there is room again", async () => {
  const store = await openedStore();
  const texts = await Promise.all(Array.from({ length: 25 }, () => store.report(filter, "csv")));
  expect(texts.map((text) => text === null)).toEqual([...Array(20).fill(false), ...Array(5).fill(true)]);
  expect(await store.report(filter, "csv")).not.toBeNull();
  await store.close();
});

test("a store that closes leaves nobody waiting for a report", async () => {
  const store = await openedStore();
  const reports = Array.from({ length: 20 }, () => store.report(filter, "json"));
  const outcomes = Promise.allSettled(reports);
  await store.close();
  for (const outcome of await outcomes) {
    if (outcome.status === "rejected") expect(outcome.reason).toBeInstanceOf(StorageUnavailable);
  }
});
