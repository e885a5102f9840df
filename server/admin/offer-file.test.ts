import { execFileSync } from "node:child_process";
import { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { newOperator, type Operator, setUp } from "./operator-for-tests.ts";

let operator: Operator;
let advertiserId: string;
beforeEach(async () => {
  operator = newOperator();
  advertiserId = (await setUp(operator)).advertiserId;
});
afterEach(() => operator.leave());

const header = "advertiserId,brand,vertical,title,landingUrl,geoCoverage,payoutModel,payoutMicros";
const line = (number: number, members: { brand?: string; url?: string; payout?: string } = {}) =>
  [
    advertiserId,
    members.brand ?? "Skyhop",
    "travel",
    `Offer ${number}`,
    members.url ?? "https://skyhop.example/?c={click_id}",
    '"DE,US-NJ"',
    "CPC",
    members.payout ?? "450000",
  ].join(",");
const file = (name: string, text: string) => {
  const path = join(operator.dataDir, name);
  writeFileSync(path, text);
  return path;
};
const offers = () => operator.done("offer list");

describe("importing", () => {
  test("saves every line of a CSV file", async () => {
    const path = file("offers.csv", `\ufeff${header}\r\n${line(1)}\r\n\r\n${line(2)}\r\n`);
    expect(await operator.done("offer import --file", path)).toEqual({ imported: 2, created: 2, updated: 0 });
    expect((await offers()).map(({ title }: { title: string }) => title).sort()).toEqual([
      "Offer 1",
      "Offer 2",
      "Two nights by the sea",
    ]);
  });

  test("names the lines whose landing address does not take the click id, and saves them", async () => {
    const lines = [
      line(1),
      line(2, { url: "https://skyhop.example/" }),
      line(3),
      line(4, { url: "https://a.example/" }),
    ];
    const path = file("offers.csv", `${header}\n${lines.join("\n")}\n`);
    const { code, err } = await operator.run(["offer", "import", "--file", path]);
    expect([code, err]).toEqual([
      0,
      "note: landingUrl has no {click_id}, so the advertiser cannot tell which click came: lines 3, 5.\n",
    ]);
    expect(await offers()).toHaveLength(5);
  });

  test("names the first twenty such lines, and how many more there are", async () => {
    const lines = Array.from({ length: 25 }, (_, at) => line(at, { url: "https://skyhop.example/" }));
    const path = file("offers.csv", `${header}\n${lines.join("\n")}\n`);
    const { err } = await operator.run(["offer", "import", "--file", path]);
    expect(err).toMatch(/ came: lines 2, 3, .* 20, 21 and 5 more\.\n$/);
  });

  test("checks a file beforehand, and saves nothing of it", async () => {
    const path = file("offers.csv", `${header}\n${line(1)}\n`);
    const before = await operator.version();
    const words = ["offer", "import", "--check", "--file", path];
    expect(await operator.run(words)).toMatchObject({
      code: 0,
      err: "",
      out: expect.stringMatching(/would create +1/),
    });
    expect(await operator.done(words.join(" "))).toEqual({
      ...{ imported: 0, wouldCreate: 1, wouldUpdate: 0, alike: [] },
    });
    const bad = file("bad.csv", `${header}\n${line(1, { brand: "" })}\n`);
    const refused = await operator.run(["offer", "import", "--check", "--file", bad]);
    expect(refused).toMatchObject({
      code: 2,
      err: expect.stringMatching(/nothing was imported.*\n.*\n2 +brand/),
    });
    expect(await offers()).toHaveLength(1);
    expect(await operator.version()).toBe(before);
  });

  test("names the lines of a file that is imported a second time, the first twenty of them", async () => {
    const path = file(
      "offers.csv",
      `${header}\n${Array.from({ length: 22 }, (_, at) => line(at)).join("\n")}\n`,
    );
    const once = await operator.run(["offer", "import", "--file", path]);
    expect(once).toMatchObject({ code: 0, err: "" });
    const note =
      /^note: An offer of the same .* there before: lines 2, 3, .*, 20, 21 and 2 more\. A line without/;
    for (const words of [["--check"], []]) {
      const twice = await operator.run(["offer", "import", "--file", path, ...words]);
      expect(twice).toMatchObject({ code: 0, err: expect.stringMatching(note) });
    }
  });

  test("leaves of a known offer what the file has no column for, and lifts what has an empty cell", async () => {
    const [{ offerId }] = await offers();
    const limits = ["--daily-budget-micros", "5000000", "--end", "2026-12-24", "--devices", "phone"];
    await operator.done("offer update --offer", offerId, ...limits);
    await operator.done("offer update --locale de --title Meer --offer", offerId);
    const path = file("prices.csv", `offerId,payoutMicros,devices\n${offerId},470000,\n`);
    expect(await operator.done("offer import --file", path)).toMatchObject({ updated: 1 });
    expect(await offers()).toMatchObject([
      {
        ...{ payoutMicros: 470_000, devices: [] },
        ...{ dailyBudgetMicros: 5_000_000, endsAt: "2026-12-24", locales: { de: { title: "Meer" } } },
      },
    ]);
  });

  test("reads what a spreadsheet with semicolons writes", async () => {
    const text = `${header}\n${line(1)}\n`.replaceAll(",", ";").replace("DE;US-NJ", "DE,US-NJ");
    expect(await operator.done("offer import --file", file("offers.csv", text))).toMatchObject({
      created: 1,
    });
  });

  test("with four bad lines imports nothing, and names all of them and what is wrong", async () => {
    const lines = Array.from({ length: 10 }, (_, at) => line(at + 2));
    lines[1] = line(3, { brand: "" });
    lines[4] = line(6).replace("CPC", "CPX");
    lines[7] = line(9, { payout: "0.45" });
    lines[8] = line(10, { url: "ftp://skyhop.example/" });
    const path = file("offers.csv", `${header}\n${lines.join("\n")}\n`);
    const before = await operator.version();
    const { code, out } = await operator.run(["offer", "import", "--file", path, "--json"]);
    expect(code).toBe(2);
    const { imported, problems } = JSON.parse(out);
    expect(imported).toBe(0);
    expect(problems.map(({ line, column }: { line: number; column: string }) => [line, column])).toEqual([
      [3, "brand"],
      [6, "payoutModel"],
      [9, "payoutMicros"],
      [10, "landingUrl"],
    ]);
    const forReading = await operator.run(["offer", "import", "--file", path]);
    expect(forReading).toMatchObject({ code: 2, out: "" });
    expect(forReading.err).toMatch(
      /lines that cannot be saved: 4\nLINE +COLUMN +WHAT IS WRONG\n3 +brand +is missing/,
    );
    expect(forReading.err).toMatch(/9 +payoutMicros +must be a whole number, 0 or more \(given: "0.45"\)/);
    expect(await offers()).toHaveLength(1);
    expect(await operator.version()).toBe(before);
  });

  test.each([
    ["a landing page that may not be", () => line(1, { url: "ftp://x.example/" }), "landingUrl"],
    ["an unknown advertiser", () => line(1).replace(advertiserId, "advertiser_x"), "advertiserId"],
    ["a country that is none", () => line(1).replace("DE,US-NJ", "DE,UK"), "geoCoverage"],
  ])("refuses %s, which only saving can see, by its line too", async (_name, bad, column) => {
    const path = file("offers.csv", `${header}\n${line(1)}\n${bad()}\n`);
    const { code, out } = await operator.run(["offer", "import", "--file", path, "--json"]);
    expect(code).toBe(2);
    expect(JSON.parse(out).problems).toMatchObject([{ line: 3, column }]);
    expect(await offers()).toHaveLength(1);
  });

  test.each([
    ["no file", "none.csv", null, /cannot read .*none\.csv \(ENOENT\)/],
    ["an empty file", "offers.csv", "", /is no header/],
    ["a quote that never ends", "offers.csv", `${header}\n"x`, /Quote Not Closed/],
    ["JSON that is none", "offers.json", "[{]", /is no JSON/],
    ["JSON that is no list", "offers.json", "{}", /must be a list of offers/],
  ])("refuses %s", async (_name, name, text, message) => {
    const path = text === null ? join(operator.dataDir, name) : file(name, text);
    const { code, err } = await operator.run(["offer", "import", "--file", path]);
    expect(code).toBe(2);
    expect(err).toMatch(message);
  });

  test("refuses bytes that are no UTF-8", async () => {
    const path = join(operator.dataDir, "offers.csv");
    writeFileSync(path, Buffer.from([0xff, 0xfe, 0x00]));
    expect(await operator.run(["offer", "import", "--file", path])).toMatchObject({ code: 2 });
  });

  test("takes seconds for 10,000 offers, not minutes", async () => {
    const lines = Array.from({ length: 10_000 }, (_, at) => line(at));
    const path = file("offers.csv", `${header}\n${lines.join("\n")}\n`);
    const since = performance.now();
    expect(await operator.done("offer import --file", path)).toMatchObject({ created: 10_000 });
    // It takes a second and a half alone, and this runs on machines that do other things as well.
    expect(performance.now() - since).toBeLessThan(10_000);
  });
});

describe("exporting", () => {
  test.each(["offers.csv", "offers.json"])(
    "to %s gives a file that importing changes nothing with",
    async (name) => {
      const path = file("first.csv", `${header},description\n${line(1)},"=cmd, ""quoted"""\n`);
      await operator.done("offer import --file", path);
      const before = await offers();
      const to = join(operator.dataDir, name);
      expect(await operator.done("offer export --file", to)).toEqual({ file: to, offers: 2 });
      expect(await operator.done("offer import --file", to)).toEqual({ imported: 2, created: 0, updated: 2 });
      expect(await offers()).toEqual(before);
    },
  );

  test("as CSV begins with the mark by which Excel knows UTF-8, and comes in again with it and without", async () => {
    const umlauts = line(1, { brand: "Zürich Überfahrt" });
    await operator.done("offer import --file", file("first.csv", `${header}\n${umlauts}\n`));
    const before = await offers();
    const to = join(operator.dataDir, "offers.csv");
    await operator.done("offer export --file", to);
    const exported = readFileSync(to);
    expect([...exported.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    for (const path of [to, file("unmarked.csv", exported.toString().slice(1))]) {
      const known = { imported: 2, created: 0, updated: 2 };
      expect(await operator.done("offer import --file", path)).toEqual(known);
      expect(await offers()).toEqual(before);
    }
    const list = join(operator.dataDir, "offers.json");
    await operator.done("offer export --file", list);
    expect(readFileSync(list, "utf8")).toMatch(/^\[/);
  });

  test("writes no cell that a spreadsheet would run", async () => {
    await operator.done("offer import --file", file("first.csv", `${header},terms\n${line(1)},=1+1\n`));
    const to = join(operator.dataDir, "offers.csv");
    await operator.done("offer export --file", to);
    expect(readFileSync(to, "utf8")).toContain(",'=1+1,");
  });

  test("keeps an older file when the new one cannot be written", async () => {
    const to = join(operator.dataDir, "folder.csv");
    mkdirSync(to);
    expect(await operator.run(["offer", "export", "--file", to])).toMatchObject({ code: 2 });
    expect(readdirSync(operator.dataDir).filter((name) => name.includes("partial"))).toEqual([]);
  });

  test("puts nothing in the place of what is no file", async () => {
    const to = join(operator.dataDir, "pipe");
    execFileSync("mkfifo", [to]);
    const { code, err } = await operator.run(["offer", "export", "--file", to]);
    expect({ code, err }).toMatchObject({
      code: 2,
      err: expect.stringMatching(/pipe is there and no file; - is/),
    });
    expect(lstatSync(to).isFIFO()).toBe(true);
    const nowhere = join(operator.dataDir, "nowhere.csv");
    symlinkSync(join(operator.dataDir, "none", "offers.csv"), nowhere);
    expect((await operator.run(["offer", "export", "--file", nowhere])).code).toBe(2);
    expect(lstatSync(nowhere).isSymbolicLink()).toBe(true);
  });

  test("leaves a link, and writes where it leads", async () => {
    const [link, real] = [join(operator.dataDir, "link.csv"), file("real.csv", "older")];
    symlinkSync(real, link);
    await operator.done("offer export --file", link);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(real, "utf8")).toMatch(/^\uFEFFofferId,/);
  });

  test("prints what a file would hold, for a dash", async () => {
    for (const [name, words] of [
      ["offers.csv", []],
      ["offers.json", ["--json"]],
    ] as const) {
      const to = join(operator.dataDir, name);
      await operator.done("offer export --file", to);
      const { code, out, err } = await operator.run(["offer", "export", "--file", "-", ...words]);
      // But for the mark by which Excel knows UTF-8: what is printed is read by programs.
      const held = readFileSync(to, "utf8").replace(/^\uFEFF/, "");
      expect({ code, err, out }).toEqual({ code: 0, err: "", out: held });
    }
    expect(readdirSync(operator.dataDir)).not.toContain("-");
    // Elsewhere a dash is more likely a slip.
    expect((await operator.run(["offer", "import", "--file", "-"])).err).toContain("--file=-");
  });

  test("moves a catalogue to another database", async () => {
    const to = join(operator.dataDir, "offers.csv");
    await operator.done("offer export --file", to);
    const exported = readFileSync(to, "utf8");
    const second = newOperator();
    try {
      const made = await second.done("advertiser create --name Skyhop --balance-micros 1");
      const path = join(second.dataDir, "offers.csv");
      writeFileSync(path, exported.replaceAll(advertiserId, made.advertiserId));
      expect(await second.done("offer import --file", path)).toMatchObject({ created: 1 });
      const [here, there] = [await offers(), await second.done("offer list")];
      expect(there[0].offerId).toBe(here[0].offerId);
    } finally {
      await second.leave();
    }
  });
});
