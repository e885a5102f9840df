import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import type { Log } from "./core/log-events.ts";
import { geoFilesOf } from "./geo/geo-files.ts";
import { writeRanges } from "./geo/merge-database.ts";
import { networkFilesOf, saveNetworkList } from "./geo/network-files.ts";
import { makeRanges } from "./geo/range-maker.ts";
import { rangesForTests } from "./geo/ranges-for-tests.ts";
import { openLocationData, openNetworks } from "./location-data.ts";

const dayMs = 24 * 60 * 60 * 1000;
const { date } = rangesForTests;

const openGeo = (folder: string, log: Log) => {
  const bundled = join(folder, "bundled.bin");
  writeRanges(bundled, makeRanges([rangesForTests]));
  return openLocationData({ ...geoFilesOf({ dataDir: folder, geoDatabase: null }), bundled }, log);
};

const openLists = (folder: string, log: Log) => {
  const files = networkFilesOf({ dataDir: folder });
  for (const file of Object.values(files)) saveNetworkList(file, { date, networks: ["192.0.2.0/24"] });
  return openNetworks(files, log);
};

afterEach(() => {
  vi.useRealTimers();
});

test.each([
  {
    data: "location data",
    open: openGeo,
    days: 90,
    warnings: ["The location data (below) is of 2026-01-01, 91 days old."],
  },
  {
    data: "lists of networks",
    open: openLists,
    days: 365,
    warnings: ["datacenter", "search_engine"].map(
      (kind) => `The list of networks (${kind}) is of 2026-01-01, 366 days old.`,
    ),
  },
])(
  "$data that grow old while the service runs are told of on that day, and once",
  async ({ open, days, warnings }) => {
    const folder = mkdtempSync(join(tmpdir(), "grows-old-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "Date"] });
    vi.setSystemTime(Date.parse(date) + (days - 1) * dayMs);
    const told: string[] = [];
    const opened = await open(folder, (event) => {
      if (event.warning !== undefined) told.push(String(event.warning));
    });
    // Nothing is told on the last good day.
    vi.advanceTimersByTime(dayMs);
    expect(told).toEqual([]);
    vi.advanceTimersByTime(dayMs);
    expect(told).toEqual(warnings);
    vi.advanceTimersByTime(dayMs);
    expect(told).toEqual(warnings);
    opened.stop();
  },
);
