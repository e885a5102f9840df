import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { geoFilesOf, openCurrentGeo } from "./geo-files.ts";
import { type LiveGeo, openLiveGeo } from "./live-geo.ts";
import { mergeDatabase, writeRanges } from "./merge-database.ts";
import { writeMmdb } from "./mmdb-for-tests.ts";
import { openGeo } from "./open-geo.ts";
import { makeRanges } from "./range-maker.ts";
import { rangesForTests } from "./ranges-for-tests.ts";

const builtAt = Date.parse("2026-11-15T12:00:00Z");
/** Of the operator: a few addresses moved, one network of them close behind copies of IPv4, and nothing else known. */
const database = (country: string): Buffer =>
  writeMmdb(
    [
      ["8.8.8.0/24", { country: { iso_code: "US" }, subdivisions: [{ iso_code: "NJ" }] }],
      ["77.64.0.0/24", { country: { iso_code: country } }],
      ["2001:200::/32", { country: { iso_code: country } }],
      ["2a10:d580::/32", { country: { iso_code: country } }],
    ],
    { type: "GeoIP2-City", builtAt },
  );

const opened: { geo: LiveGeo; folder: string }[] = [];
afterEach(() => {
  for (const { geo, folder } of opened.splice(0)) {
    geo.stop();
    rmSync(folder, { recursive: true });
  }
});

const start = async ({
  mmdb,
  before,
  retryMs = 1_000_000,
}: {
  mmdb?: Buffer;
  before?: (folder: string) => void | Promise<void>;
  retryMs?: number;
} = {}) => {
  const folder = mkdtempSync(join(tmpdir(), "live-geo-"));
  const file = join(folder, "own.mmdb");
  if (mmdb) writeFileSync(file, mmdb);
  await before?.(folder);
  const bundled = join(folder, "bundled.bin");
  writeRanges(bundled, makeRanges([rangesForTests]));
  const files = { ...geoFilesOf({ dataDir: folder, geoDatabase: mmdb ? file : null }), bundled };
  const events: string[] = [];
  const geo = await openLiveGeo({
    files,
    everyMs: 1_000_000,
    retryMs,
    onLoaded: (loaded) => events.push(`loaded ${loaded.slice(folder.length + 1)}`),
    onRefused: (refused, reason) => events.push(`refused ${refused.slice(folder.length + 1)}: ${reason}`),
  });
  opened.push({ geo, folder });
  /** Looks twice, after which a database that stood still meanwhile is taken. */
  const take = async (): Promise<void> => {
    await geo.look();
    await geo.look();
  };
  return { geo, take, folder, file, files, events };
};

test("what the service comes with answers, until an update does, and again without it", async () => {
  const { geo, folder, files, events } = await start();
  expect(geo.locate("77.64.0.1")).toMatchObject({ country: "DE", region: "BE" });
  const own = join(folder, "update.mmdb");
  writeFileSync(own, database("PL"));
  await mergeDatabase(own, files.updated, openGeo(files.bundled));
  await geo.look();
  expect(geo.locate("77.64.0.1")).toMatchObject({ country: "PL", region: "" });
  expect(geo.locate("77.64.1.1")).toMatchObject({ country: "DE", region: "BE" });
  expect(geo.locate("2001:200::1").country).toBe("PL");
  expect(geo.locate("2a10:d580::1").country).toBe("PL");
  expect(geo.find("77.64.0.1").dataSet).toMatchObject({ name: "GeoIP2-City", date: "2026-11-15" });
  expect(geo.find("77.64.1.1").dataSet).toMatchObject({ name: "below" });
  expect(openCurrentGeo(files).geo.locate("77.64.0.1").country).toBe("PL");
  rmSync(files.updated);
  await geo.look();
  expect(geo.locate("77.64.0.1").country).toBe("DE");
  expect(events).toEqual(["loaded bundled.bin", "loaded geo/updated.bin", "loaded bundled.bin"]);
});

test("a file that cannot be used is named once, and what was there goes on answering", async () => {
  const { geo, folder, files, events } = await start();
  const own = join(folder, "update.mmdb");
  writeFileSync(own, database("PL"));
  await mergeDatabase(own, files.updated, openGeo(files.bundled));
  await geo.look();
  writeFileSync(files.updated, readFileSync(files.updated).subarray(0, 100));
  await geo.look();
  await geo.look();
  expect(geo.locate("77.64.0.1").country).toBe("PL");
  expect(events).toHaveLength(3);
  expect(events[2]).toMatch(
    /^refused geo\/updated\.bin: .*cannot be used.*`admin geo update` writes it anew$/,
  );
});

test("the operator's database is merged once, and again when it is another one", async () => {
  const { geo, take, file, files, events } = await start({ mmdb: database("PL") });
  expect(geo.locate("77.64.0.1").country).toBe("PL");
  const { merged } = files.database ?? { merged: "" };
  const mergedAt = statSync(merged).mtimeMs;
  // The same content under another time is the same database.
  utimesSync(file, 1, 1);
  await take();
  expect(statSync(merged).mtimeMs).toBe(mergedAt);
  writeFileSync(file, database("AT"));
  await take();
  expect(geo.locate("77.64.0.1").country).toBe("AT");
  expect(openCurrentGeo(files).geo.locate("77.64.0.1").country).toBe("AT");
  expect(events.every((event) => event === "loaded geo/database.bin")).toBe(true);
});

test.each([
  ["no database", () => Buffer.from("nonsense"), /refused own\.mmdb/],
  ["one cut off", () => database("AT").subarray(0, 200), /refused own\.mmdb/],
  [
    "one without a country",
    () => writeMmdb([["8.8.8.0/24", { autonomous_system_number: 15169 }]], { type: "ASN", builtAt }),
    /names no country/,
  ],
  [
    "one that is wrong about what is known",
    () => writeMmdb([["8.0.0.0/8", { country: { iso_code: "FR" } }]], { type: "wrong", builtAt }),
    /8\.8\.8\.8 in FR/,
  ],
])("%s leaves the one before, for every process of the service", async (_, bad, reason) => {
  const { geo, take, file, files, events } = await start({ mmdb: database("PL") });
  writeFileSync(file, bad());
  await take();
  expect(geo.locate("77.64.0.1").country).toBe("PL");
  expect(openCurrentGeo(files).geo.locate("77.64.0.1").country).toBe("PL");
  expect(events.at(-1)).toMatch(reason);
});

test("a service whose database is missing starts with what it comes with, and says so", async () => {
  const { geo, files, events } = await start({ mmdb: Buffer.from("nonsense") });
  expect(geo.locate("77.64.0.1").country).toBe("DE");
  expect(existsSync(files.database?.merged ?? "")).toBe(false);
  expect(events).toEqual([expect.stringMatching(/^refused own\.mmdb/), "loaded bundled.bin"]);
});

/** What the last start, or the release before, has merged. */
const mergedBefore = (country: string) => async (folder: string) => {
  const own = join(folder, "before.mmdb");
  writeFileSync(own, database(country));
  const bundled = join(folder, "before.bin");
  writeRanges(bundled, makeRanges([rangesForTests]));
  const { database: named } = geoFilesOf({ dataDir: folder, geoDatabase: own });
  await mergeDatabase(own, named?.merged ?? "", openGeo(bundled));
};

test("a start goes on by what was merged before, while another database is merged behind it", async () => {
  const gate = join(mkdtempSync(join(tmpdir(), "gate-")), "open");
  const waiting = join(dirname(gate), "wait.mjs");
  writeFileSync(
    waiting,
    `import { existsSync } from "node:fs";
    const until = Date.now() + 60_000;
    while (!existsSync(${JSON.stringify(gate)}) && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 5));`,
  );
  vi.stubEnv("NODE_OPTIONS", `--import=${waiting}`);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(dirname(gate), { recursive: true });
  });
  const { geo, events } = await start({ mmdb: database("AT"), before: mergedBefore("PL") });
  expect(geo.locate("77.64.0.1").country).toBe("PL");
  expect(events).toEqual(["loaded geo/database.bin"]);
  writeFileSync(gate, "");
  await expect.poll(() => geo.locate("77.64.0.1").country, { timeout: 20_000 }).toBe("AT");
  expect(events).toEqual(["loaded geo/database.bin", "loaded geo/database.bin"]);
}, 30_000);

test("a start whose database is the one that was merged before loads it once", async () => {
  const { geo, take, events } = await start({ mmdb: database("PL"), before: mergedBefore("PL") });
  await take();
  expect(geo.locate("77.64.0.1").country).toBe("PL");
  expect(events).toEqual(["loaded geo/database.bin"]);
});

test("a database that comes back after one that was refused is told, and not merged again", async () => {
  const { geo, take, file, events } = await start({ mmdb: database("PL") });
  writeFileSync(file, "nonsense");
  await take();
  writeFileSync(file, database("PL"));
  await take();
  expect(geo.locate("77.64.0.1").country).toBe("PL");
  expect(events).toEqual([
    "loaded geo/database.bin",
    expect.stringMatching(/^refused own\.mmdb/),
    "loaded geo/database.bin",
  ]);
});

test("a start whose database cannot be used goes on by what was merged before, and says so", async () => {
  const { geo, events } = await start({ mmdb: Buffer.from("nonsense"), before: mergedBefore("PL") });
  await expect.poll(() => events.at(-1), { timeout: 20_000 }).toMatch(/^refused own\.mmdb/);
  expect(geo.locate("77.64.0.1").country).toBe("PL");
  expect(events).toHaveLength(2);
}, 30_000);

test("a start that finds what was merged before damaged waits until it is merged anew", async () => {
  const { geo, events } = await start({
    mmdb: database("PL"),
    before: async (folder) => {
      await mergedBefore("AT")(folder);
      writeFileSync(join(folder, "geo", "database.bin"), "nonsense");
    },
  });
  expect(geo.locate("77.64.0.1").country).toBe("PL");
  expect(events).toEqual(["loaded geo/database.bin"]);
});

test("a database that has an address elsewhere which stands in many places is taken, as DB-IP has Google's resolver in Canada", async () => {
  const { geo } = await start({
    mmdb: writeMmdb([["2001:4860::/32", { country_code: "CA" }]], { type: "DBIP-Country", builtAt }),
  });
  expect(geo.locate("2001:4860:4860::8888").country).toBe("CA");
});

test("a database that is still being written is taken once it is whole, and not spoken of before", async () => {
  const { geo, take, file, events } = await start({ mmdb: database("PL") });
  const other = database("AT");
  for (const bytes of [0, 100, 200]) {
    writeFileSync(file, other.subarray(0, bytes));
    await geo.look();
  }
  writeFileSync(file, other);
  await take();
  expect(geo.locate("77.64.0.1").country).toBe("AT");
  expect(events).toEqual(["loaded geo/database.bin", "loaded geo/database.bin"]);
});

test("a database that could not be merged for the disk's sake is tried again by itself, and that is told once", async () => {
  const { geo, take, file, files, events } = await start({ mmdb: database("PL"), retryMs: 0 });
  const { merged } = files.database ?? { merged: "" };
  rmSync(merged);
  // Nothing can be written in its place.
  mkdirSync(merged);
  writeFileSync(file, database("AT"));
  await take();
  await geo.look();
  expect(geo.locate("77.64.0.1").country).toBe("PL");
  expect(events.filter((event) => event.startsWith("refused"))).toEqual([
    expect.stringContaining("cannot write"),
  ]);
  rmdirSync(merged);
  await geo.look();
  expect(geo.locate("77.64.0.1").country).toBe("AT");
});

test("a merge that is ended, as where memory runs out, is told once, and tried again less and less often", async () => {
  const { take, geo, folder, file, events } = await start({ mmdb: database("PL"), retryMs: 200 });
  const tries = join(folder, "tries");
  const ending = join(folder, "end.mjs");
  writeFileSync(
    ending,
    `import { appendFileSync } from "node:fs";
    appendFileSync(${JSON.stringify(tries)}, "x");
    process.stderr.write(String(process.pid));
    process.kill(process.pid, "SIGKILL");`,
  );
  vi.stubEnv("NODE_OPTIONS", `--import=${ending}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  const triedAt = async (count: number): Promise<number> => {
    while (readFileSync(tries, "utf8").length < count) {
      await geo.look();
      await pause(10);
    }
    return performance.now();
  };
  writeFileSync(file, database("AT"));
  await take();
  const second = await triedAt(2);
  expect((await triedAt(3)) - second).toBeGreaterThanOrEqual(380);
  expect(events.filter((event) => event.startsWith("refused"))).toEqual([
    "refused own.mmdb: the merging was ended by SIGKILL, as where memory runs out",
  ]);
});

test("a database that the system does not let be looked at is named once, and what was there goes on answering", async () => {
  const { geo, take, file, events } = await start({ mmdb: database("PL") });
  rmSync(file);
  // A link to itself, which is refused to root as well.
  symlinkSync(file, file);
  await take();
  await take();
  expect(geo.locate("77.64.0.1").country).toBe("PL");
  expect(events.filter((event) => event.startsWith("refused"))).toEqual([expect.stringContaining("ELOOP")]);
});

test("nor does such an update keep the service from starting", async () => {
  const { geo, events } = await start({
    before: (folder) => {
      const { updated } = geoFilesOf({ dataDir: folder, geoDatabase: null });
      mkdirSync(dirname(updated), { recursive: true });
      symlinkSync(updated, updated);
    },
  });
  expect(geo.locate("77.64.0.1").country).toBe("DE");
  expect(events.filter((event) => event.startsWith("refused"))).toHaveLength(1);
});
