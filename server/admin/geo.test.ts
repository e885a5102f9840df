import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { geoFilesOf } from "../geo/geo-files.ts";
import { mergeDatabase, writeRanges } from "../geo/merge-database.ts";
import { writeMmdb } from "../geo/mmdb-for-tests.ts";
import { openGeo } from "../geo/open-geo.ts";
import { newOperator, type Operator, offerWords, setUp } from "./operator-for-tests.ts";

let operator: Operator;
beforeAll(() => {
  operator = newOperator();
});
afterAll(() => operator.leave());

const write = (name: string, bytes: Buffer): string => {
  const file = join(operator.dataDir, name);
  writeFileSync(file, bytes);
  return file;
};
const builtAt = Date.parse("2026-11-15T12:00:00Z");

describe("geo check", () => {
  it("tells what each data set says of addresses, with or without an option before them", async () => {
    const answer = await operator.done("geo check 8.8.8.8 --address 2607:fb91:1::1 127.0.0.1");
    expect(answer).toHaveLength(3);
    expect(answer[0]).toMatchObject({ address: "8.8.8.8", country: "US", source: "geo-whois-asn-country" });
    expect(answer[0].sources).toEqual([
      { source: "geo-whois-asn-country", says: "US" },
      { source: "iptoasn-country", says: "US" },
      { source: "geoip-lite", says: "US" },
    ]);
    expect(answer[1]).toMatchObject({ country: "US", sources: [{}, {}, { says: null }] });
    expect(answer[2]).toMatchObject({ country: "ZZ", region: "", source: null });
    const { out } = await operator.run(["geo", "check", "8.8.8.8"]);
    expect(out).toMatch(
      /^ADDRESS +PLACE +geo-whois-asn-country +iptoasn-country +geoip-lite\n8\.8\.8\.8 +US /,
    );
  });

  it.each([
    [["geo", "check"], /--address is missing/],
    [["geo", "check", "8.8.8"], /"8\.8\.8" is no address/],
    [["geo", "status", "8.8.8.8"], /unexpected "8\.8\.8\.8"/],
  ])("refuses %j", async (words, message) => {
    const { code, err } = await operator.run(words);
    expect(code).toBe(2);
    expect(err).toMatch(message);
  });
});

describe("geo status and geo update", () => {
  it("tell what is loaded, how old it is, and put a database in the first place", async () => {
    const before = await operator.done("geo status");
    expect(before.sources.map(({ name }: { name: string }) => name)).toEqual([
      "geo-whois-asn-country",
      "iptoasn-country",
      "geoip-lite",
    ]);
    expect(before.sources[0].ageDays).toBeGreaterThan(90);
    expect(before.warning).toMatch(/days old/);
    expect((await operator.run(["geo", "status"])).err).toMatch(/^note: The location data .* days old/);

    const record = { country: { iso_code: "AT" }, subdivisions: [{ names: { en: "Vienna" } }] };
    const file = write("own.mmdb", writeMmdb([["80.128.0.0/24", record]], { type: "DBIP-City", builtAt }));
    const after = await operator.done("geo update --file", file);
    expect(after.sources[0]).toMatchObject({
      name: "DBIP-City",
      date: "2026-11-15",
      ageDays: 5,
      hasRegions: true,
    });
    expect(after.warning).toBeNull();
    expect(await operator.done("geo status")).toEqual(after);
    const [there, beside] = await operator.done("geo check 80.128.0.1 80.128.1.1");
    expect(there).toMatchObject({ country: "AT", region: "9", source: "DBIP-City" });
    expect(there.sources[1]).toEqual({ source: "geo-whois-asn-country", says: "DE" });
    expect(beside).toMatchObject({ country: "DE", source: "geo-whois-asn-country" });

    const bad = write("bad.mmdb", Buffer.from("nonsense"));
    const refused = await operator.run(["geo", "update", "--file", bad]);
    expect(refused.code).toBe(2);
    expect(refused.err).toMatch(/--file: .*bad\.mmdb cannot be used, and nothing was changed/);
    expect(await operator.done("geo status")).toEqual(after);
  }, 120_000);

  it("say in a line that the data cannot be written, which is not the fault of the database", async () => {
    const other = newOperator();
    writeFileSync(join(other.dataDir, "geo"), "a file where the directory should be");
    const record = { country: { iso_code: "AT" } };
    const file = write("fine.mmdb", writeMmdb([["80.128.0.0/24", record]], { type: "Own", builtAt }));
    const refused = await other.run(["geo", "update", "--file", file]);
    expect(refused).toMatchObject({ code: 3, out: "" });
    expect(refused.err).toMatch(/^cannot write \S+updated\.bin \(E[A-Z]+\); nothing was changed\n$/);
    await other.leave();
  }, 120_000);

  it("leave a database that the setting names to its own file", async () => {
    const file = write("named.mmdb", Buffer.from("nonsense"));
    const env = { DATA_DIR: operator.dataDir, DURABILITY: "relaxed", GEO_DATABASE: file };
    const { code, err } = await operator.run(["geo", "update", "--file", file], env);
    expect(code).toBe(2);
    expect(err).toContain("GEO_DATABASE");
    expect(existsSync(join(operator.dataDir, "geo", "database.bin"))).toBe(false);
  });

  it("say that the database of the setting is not what was merged last, or cannot be read", async () => {
    const other = newOperator();
    const record = { country: { iso_code: "AT" } };
    const bytes = writeMmdb([["80.128.0.0/24", record]], { type: "Own", builtAt });
    const file = write("setting.mmdb", bytes);
    const { database } = geoFilesOf({ dataDir: other.dataDir, geoDatabase: file });
    await mergeDatabase(file, database?.merged ?? "");
    const env = { DATA_DIR: other.dataDir, DURABILITY: "relaxed", GEO_DATABASE: file };
    const notes = async (...words: string[]) => (await other.run(["geo", ...words], env)).err;
    expect(await notes("status")).toBe("");
    writeFileSync(file, "nonsense");
    expect(await notes("status")).toMatch(
      /GEO_DATABASE names \S+setting\.mmdb, which is not what was merged last: /,
    );
    rmSync(file);
    const missing = /GEO_DATABASE names \S+setting\.mmdb, which cannot be read \(ENOENT\)\./;
    expect(await notes("status")).toMatch(missing);
    expect(await notes("check", "8.8.8.8")).toMatch(missing);
    await other.leave();
  }, 120_000);
});

describe("an update that an earlier release has made", () => {
  const upgraded = (make: (updated: string) => void) => {
    const other = newOperator();
    const { updated } = geoFilesOf({ dataDir: other.dataDir, geoDatabase: null });
    mkdirSync(dirname(updated), { recursive: true });
    make(updated);
    return other;
  };

  it("is named where it cannot be used, with the command that makes it anew", async () => {
    const other = upgraded((updated) => writeFileSync(updated, "nonsense"));
    const note = /updated\.bin cannot be used: .*`admin geo update` writes it anew\. .* what it comes with/;
    expect(await other.done("geo status")).toMatchObject({
      file: expect.stringMatching(/ranges\.bin$/),
      warning: expect.stringMatching(note),
    });
    expect((await other.run(["geo", "status"])).err).toMatch(note);
    expect((await other.run(["geo", "check", "8.8.8.8"])).err).toMatch(note);
    await other.leave();
  });

  it("is asked for again where what lies under it is not this release's data", async () => {
    const other = newOperator();
    const { updated } = geoFilesOf({ dataDir: other.dataDir, geoDatabase: null });
    const file = write(
      "own.mmdb",
      writeMmdb([["80.128.0.0/24", { country: { iso_code: "AT" } }]], { type: "Own", builtAt }),
    );
    await other.done("geo update --file", file);
    const { ranges } = openGeo(updated);
    const sources = ranges.sources.map((source, at) =>
      at === 1 ? { ...source, version: `before ${source.version}` } : source,
    );
    writeRanges(updated, { ...ranges, sources });
    const status = await other.run(["geo", "status"]);
    expect(status.out).toContain("before ");
    expect(status.err).toMatch(/data of another release: give `geo update` again, or delete .*updated\.bin/);
    await other.leave();
  }, 120_000);
});

describe("a rule that can never match", () => {
  it.each([
    ["PL-MZ", /PL-MZ is no ISO 3166-2 region of PL/],
    ["GB-LND", /GB-LND can never match: .* of GB it tells GB-ENG/],
    ["HK-KYT", /no ISO 3166-2 region of HK/],
  ])("is refused for a website and for an offer: %s", async (entry, message) => {
    const other = newOperator();
    const { websiteKey, advertiserId } = await setUp(other);
    const words = ["--geo-mode", "blocklist", "--geo-entries", entry];
    const site = await other.run(["website", "update", "--website", websiteKey, ...words]);
    expect(site.err).toMatch(message);
    const offer = offerWords.map((word) => (word === "de,US-NJ" ? entry : word));
    const sold = await other.run(["offer", "create", "--advertiser", advertiserId, ...offer]);
    expect(sold.err).toMatch(message);
    await other.leave();
  });

  it.each(["PL-14", "NO-46", "ZA-GP", "XK", "KZ-75", "MK-501", "NP-P3", "GT-01", "EE-37"])(
    "is not one on %s",
    async (entry) => {
      const other = newOperator();
      const { websiteKey } = await setUp(other);
      await other.done(
        "website update --website",
        websiteKey,
        "--geo-mode",
        "blocklist",
        "--geo-entries",
        entry,
      );
      await other.leave();
    },
  );
});
