import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { UnusableLocationData } from "../geo/open-geo.ts";
import { engineOfTests } from "../testing/engine-of-tests.ts";
import { whileLocked } from "./locked-for-tests.ts";
import { newOperator, type Operator, offerWords, setUp } from "./operator-for-tests.ts";
import { processPorts } from "./process-ports.ts";
import { runAdmin } from "./run-admin.ts";

let operator: Operator;
beforeEach(() => {
  operator = newOperator();
});
afterEach(() => operator.leave());

describe("an offer whose landing address does not take the click id", () => {
  test("is saved, with a note, when it is created and when its address is changed", async () => {
    const { advertiserId, offerId } = await setUp(operator);
    const silent = ["--landing-url", "https://skyhop.example/"];
    const words = offerWords.filter((word) => word !== "--landing-url" && !word.startsWith("https://"));
    const note = "note: --landing-url has no {click_id}: the advertiser cannot tell which click came\n";
    const create = ["offer", "create", "--advertiser", advertiserId, ...words];
    expect(await operator.run([...create, ...silent])).toMatchObject({ code: 0, err: note });
    expect(await operator.run([...create, ...offerWords.slice(-2)])).toMatchObject({ code: 0, err: "" });
    const update = ["offer", "update", "--offer", offerId];
    expect(await operator.run([...update, ...silent])).toMatchObject({ code: 0, err: note });
    expect(await operator.run([...update, "--title", "Another"])).toMatchObject({ code: 0, err: "" });
  });
});

test("of a landing address whose macros are escaped an operator is told that they are sent as they are", async () => {
  const { offerId } = await setUp(operator);
  const to = "https://skyhop.example/?click={click_id}&to=https%3A%2F%2Fa.example%2F%3Fw%3D%257Bwebsite%257D";
  const { code, err } = await operator.run(["offer", "update", "--offer", offerId, "--landing-url", to]);
  const note =
    "--landing-url has %257Bwebsite%257D, which is sent as it is: write macros in { and } as they are";
  expect([code, err]).toEqual([0, `note: ${note}\n`]);
});

test("whoever gives a budget to an offer of which nothing is billed is told that it never ends by it", async () => {
  const { advertiserId, offerId } = await setUp(operator);
  const note = (model: string) =>
    `note: nothing is billed here for a ${model} offer, so its budget never ends it: give it an end, or pause it\n`;
  const update = ["offer", "update", "--offer", offerId];
  const words = offerWords.map((word) => (word === "CPC" ? "CPL" : word));
  const create = ["offer", "create", "--advertiser", advertiserId, ...words];
  const cases: [string[], string][] = [
    [[...create, "--total-budget-micros", "1000000"], note("CPL")],
    [create, ""],
    [[...update, "--payout-model", "CPC", "--total-budget-micros", "1000000"], ""],
    [[...update, "--payout-model", "CPA"], ""],
    [[...update, "--daily-budget-micros", "1000000"], note("CPA")],
    [[...update, "--daily-budget-micros", "none"], ""],
  ];
  for (const [line, told] of cases) {
    expect(await operator.run(line), line.join(" ")).toMatchObject({ code: 0, err: told });
  }
});

describe("notes with --json", () => {
  test("stand on the error stream, and the answer alone on the other", async () => {
    const { publisherId } = await operator.done("publisher create --name Pier");
    const words = ["--publisher", publisherId, "--name", "P", "--origin", "https://p.example", "--json"];
    const made = await operator.run(["website", "create", "--geo-mode", "allowlist", ...words]);
    expect(made.err).toMatch(/^note: no location is allowed: .*\nnote: it may show no offer yet/m);
    expect(JSON.parse(made.out)).toHaveProperty("websiteKey");
  });

  test("do so of a command without a database as well", async () => {
    operator.outside.now = Date.parse("2027-11-21T12:00:00Z");
    const { out, err } = await operator.run(["networks", "status", "--json"]);
    expect(err).toMatch(/^note: The list of networks \(datacenter\) is of /m);
    expect(JSON.parse(out)).toHaveLength(2);
  });
});

test("that the service's own location data cannot be used is told in a line", async () => {
  let told = "";
  const code = await runAdmin(["geo", "status"], {
    ...processPorts,
    readConfig: () => {
      throw new UnusableLocationData("the location data in ranges.bin cannot be used");
    },
    print: () => undefined,
    complain: (text) => {
      told += text;
    },
    isHeard: () => true,
  });
  expect([code, told]).toEqual([3, "the location data in ranges.bin cannot be used\n"]);
});

describe("wrong input", () => {
  test.each([
    ["nothing", [], /name what to work on: setup, publisher, website/],
    [
      "a noun of later",
      ["session", "create"],
      /unknown noun "session".*\nthere are setup, publisher, website, allowlist, advertiser, offer, currency, key, secret, user, report, statement, clicks, recount, audit, backup/,
    ],
    ["a noun in the plural", ["offers", "list"], /did you mean offer\?/],
    [
      "no verb",
      ["offer"],
      /say what to do with offer: create, update, pause, resume, show, import, export, list/,
    ],
    ["an unknown verb", ["offer", "delete"], /offer cannot "delete", only create/],
    ["a misspelt verb", ["offer", "pase"], /did you mean pause\?/],
    [
      "an unknown option",
      ["publisher", "create", "--nam", "A"],
      /unknown option --nam; did you mean --name\?/,
    ],
    ["an empty name", ["publisher", "create", "--name", ""], /--name: must not be empty/],
    [
      "an amount that is none",
      ["advertiser", "create", "--name", "A", "--balance-micros", "1.5"],
      /--balance-micros: must be a whole number/,
    ],
    [
      "an unknown publisher",
      ["website", "create", "--publisher", "publisher_x", "--name", "W", "--origin", "https://w.example"],
      /--publisher: no publisher has the id/,
    ],
    [
      "a malformed id",
      ["website", "create", "--publisher", "Pier", "--name", "W", "--origin", "https://w.example"],
      /--publisher: must be publisher_/,
    ],
    [
      "entries without a mode",
      [
        "website",
        "create",
        "--publisher",
        "publisher_x",
        "--name",
        "W",
        "--origin",
        "https://w.example",
        "--geo-entries",
        "DE",
      ],
      /--geo-mode: must say whether/,
    ],
    [
      "a website without origin",
      ["website", "create", "--publisher", "publisher_x", "--name", "W"],
      /--origin is missing/,
    ],
    [
      "a mail address that is none",
      [
        "website",
        "create",
        "--publisher",
        "publisher_x",
        "--name",
        "W",
        "--origin",
        "https://w.example",
        "--support-email",
        "x",
      ],
      /--support-email: .*given: "x"/,
    ],
    ["an unknown offer", ["offer", "pause", "--offer", "offer_x"], /--offer: no offer has the id "offer_x"/],
    [
      "a deposit of nothing",
      ["advertiser", "deposit", "--advertiser", "advertiser_x", "--micros", "0"],
      /--advertiser: no advertiser/,
    ],
    ["an update without a change", ["offer", "update", "--offer", "offer_x"], /nothing to change/],
    [
      "a place to block that is none",
      ["setup", "--origin", "https://w.example", "--block", "UK", "--no-wait"],
      /--block: UK is no ISO 3166-1 country: write GB/,
    ],
    ["a name of nothing", ["user", "create", "--email", "a@b.example", "--name", " "], /--name: /],
  ])("such as %s ends with 2 and says what to change", async (_, args, message) => {
    await operator.done("publisher create --name Quay");
    const { code, out, err } = await operator.run(args);
    expect(code).toBe(2);
    expect(out).toBe("");
    expect(err).toMatch(message);
    expect(err).toContain("--help");
  });

  test("of an offer names each option, and saves nothing", async () => {
    const { advertiserId } = await operator.done("advertiser create --name A --balance-micros 0");
    const before = await operator.version();
    const refused = await operator.run([
      ...["offer", "create", "--advertiser", advertiserId, ...offerWords.slice(0, 6)],
      ...[
        "--geo",
        "DE,UK",
        "--payout-model",
        "CPM",
        "--payout-micros",
        "1500",
        "--landing-url",
        "https://s.example/",
      ],
    ]);
    expect(refused.err).toMatch(/^--payout-micros: must be a multiple of 1000 for CPM/);
    const other = await operator.run([
      ...["offer", "create", "--advertiser", advertiserId, ...offerWords.slice(0, 6)],
      ...[
        "--geo",
        "DE,UK",
        "--payout-model",
        "CPC",
        "--payout-micros",
        "1500",
        "--landing-url",
        "http://s.example/",
      ],
    ]);
    expect(other.err).toMatch(/^--landing-url: must be https/m);
    expect(other.err).toMatch(/^--geo: UK is no ISO 3166-1 country: write GB$/m);
    expect([refused.code, other.code, await operator.version()]).toEqual([2, 2, before]);
    expect(await operator.done("offer list")).toEqual([]);
  });

  test.each([
    "https://*.co.uk",
    "https://github.io",
    "https://pier.example/",
    "http://pier.example",
    "*",
    "null",
  ])("such as the origin %s is refused by its option", async (origin) => {
    const { publisherId } = await operator.done("publisher create --name A");
    const { code, err } = await operator.run([
      "website",
      "create",
      "--publisher",
      publisherId,
      "--name",
      "W",
      "--origin",
      origin,
    ]);
    expect(code).toBe(2);
    expect(err).toMatch(/^--origin: /);
    expect(await operator.done("website list")).toEqual([]);
  });
});

describe("data that is not there", () => {
  test
    .skipIf(engineOfTests !== "sqlite")
    .each([
      ["backup", "--to", "copy.sqlite"],
      ["audit"],
      ["recount"],
      ["publisher", "list"],
      ["offer", "import", "--file", "offers.csv"],
      ["allowlist", "list"],
    ])("is not made by %s %s %s, which ends with 3, and a good backup stays", async (...words) => {
    await setUp(operator);
    const good = join(operator.dataDir, "copy.sqlite");
    await operator.done("backup --to", good);
    const bytes = readFileSync(good);
    const wrong = join(operator.dataDir, "wrong");
    mkdirSync(wrong);
    const args = words.map((word) => (word === "copy.sqlite" ? good : word));
    const { code, out, err } = await operator.run(args, { DATA_DIR: wrong });
    expect({ code, out }).toEqual({ code: 3, out: "" });
    expect(err).toBe(`there is no ${join(wrong, "offers.sqlite")}: is DATA_DIR the service's?\n`);
    expect(readdirSync(wrong)).toEqual([]);
    expect(readFileSync(good).equals(bytes)).toBe(true);
  });

  test.each([
    ["publisher", "create", "--name", "A"],
    ["advertiser", "create", "--name", "A", "--balance-micros", "0"],
    ["user", "create", "--email", "ada@example.com"],
    ["partner", "create", "--name", "A", "--redirect-uri", "https://a.example/back"],
    ["setup", "--origin", "https://a.example", "--no-wait"],
  ])("is begun by %s %s, which says so where it makes the file", async (...words) => {
    const begun = (err: string) =>
      err.includes(`note: there was no database: made ${operator.databaseFile}\n`);
    const first = await operator.run(words);
    expect(first).toMatchObject({ code: 0 });
    expect(begun(first.err)).toBe(engineOfTests === "sqlite");
    expect(begun((await operator.run(["publisher", "create", "--name", "B"])).err)).toBe(false);
  });

  test.runIf(engineOfTests === "sqlite")(
    "is told of where it was made by a command that is refused",
    async () => {
      const { code, err } = await operator.run(["user", "create", "--email", "ada"]);
      expect(code).toBe(2);
      expect(err).toMatch(/^note: there was no database: made .*\n--email: /);
    },
  );

  test("is not needed to tell where an address is, or in which list", async () => {
    for (const noun of ["geo", "networks"]) {
      expect(await operator.run([noun, "check", "8.8.8.8"])).toMatchObject({ code: 0 });
    }
    expect(readdirSync(operator.dataDir)).not.toContain("offers.sqlite");
  });
});

describe("data that cannot be used", () => {
  test("ends with 3 when the directory is not there", async () => {
    const { code, err } = await operator.run(["publisher", "list"], {
      DATA_DIR: join(operator.dataDir, "missing"),
    });
    expect(code).toBe(3);
    expect(err).toContain("missing does not exist");
  });

  test("ends with 3 when the configuration is wrong", async () => {
    const { code, err } = await operator.run(["publisher", "list"], {
      DATA_DIR: operator.dataDir,
      DURABILITY: "none",
    });
    expect(code).toBe(3);
    expect(err).toContain("DURABILITY");
  });

  test("ends with 3 when it is no database", async () => {
    const env = await operator.environment();
    if (env.DATABASE_URL === undefined) {
      writeFileSync(operator.databaseFile, "not a database at all, but a text of some length".repeat(40));
    } else env.DATABASE_URL = "postgres://nobody:secret@127.0.0.1:1/none";
    const { code, err } = await operator.run(["publisher", "list"], env);
    expect(code).toBe(3);
    expect(err).toMatch(/^cannot open (?:\/.*offers\.sqlite|postgres:\/\/127\.0\.0\.1:1\/none): \S/);
    expect(err).not.toContain("secret");
  });

  test("ends with 3 when another program keeps it locked, and nothing is changed", async () => {
    await operator.done("publisher create --name A");
    await operator.beside((db) =>
      whileLocked(db, async () => {
        const { code, out, err } = await operator.run(["publisher", "create", "--name", "B"]);
        expect({ code, out }).toEqual({ code: 3, out: "" });
        expect(err).toMatch(
          /another program has kept (?:\/.*offers\.sqlite|postgres:.*) locked.*nothing was changed/,
        );
        // Reading needs no lock.
        expect(await operator.done("publisher list")).toMatchObject([{ name: "A" }]);
      }),
    );
    expect(await operator.done("publisher list")).toHaveLength(1);
  });

  test("is not needed for help", async () => {
    for (const args of [
      ["--help"],
      ["help"],
      ["offer", "--help"],
      ["offer", "create", "--help"],
      ["audit", "--help"],
    ]) {
      const { code, out, err } = await operator.run(args, { DATA_DIR: join(operator.dataDir, "missing") });
      expect({ code, err }).toEqual({ code: 0, err: "" });
      expect(out).toMatch(/^Usage: npm run --silent admin -- /);
      expect(out.split("\n").every((line) => line.length <= 100)).toBe(true);
    }
  });

  test.each(["website", "website create", "audit"])(
    "tells of %s what it tells with --help behind it",
    async (line) => {
      const words = line.split(" ");
      const before = await operator.run(["help", ...words]);
      expect(before).toEqual(await operator.run([...words, "--help"]));
      expect(before.code).toBe(0);
    },
  );

  test("is not needed for the version, which is the release's", async () => {
    const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
    const missing = { DATA_DIR: join(operator.dataDir, "missing") };
    expect(await operator.run(["--version"], missing)).toEqual({ code: 0, out: `${version}\n`, err: "" });
  });
});
