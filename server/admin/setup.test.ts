import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { RefusedCall } from "../core/refused-call.ts";
import { whileLocked } from "./locked-for-tests.ts";
import { newOperator, type Operator, offerWords, setUp, testTime } from "./operator-for-tests.ts";

let operator: Operator;
beforeEach(() => {
  operator = newOperator();
});
afterEach(() => operator.leave());

type Made = { websiteKey: string; publicKey: string; publisherId: string; tag: string };

const idOf = (key: string) =>
  operator.beside(async (db) => {
    const row = await db.selectFrom("website").select("id").where("key", "=", key).executeTakeFirstOrThrow();
    return row.id;
  });

/** The page loads the tag, as the running service notes it. */
const ping = (websiteId: number, host = "journal.example") =>
  operator.beside((db) =>
    db
      .insertInto("snippet_ping")
      .values({
        ...{ website_id: websiteId, host, script_version: "1", hour: testTime, surface: "overlay" },
        ...{ url: `https://${host}/news`, last_at: operator.outside.now },
      })
      .execute(),
  );

const refuse = (websiteId: number, origin: string, code: RefusedCall["code"]) =>
  operator.beside((db) =>
    db
      .insertInto("trouble")
      .values({
        ...{ subject: `website:${websiteId}`, hour: testTime, code, detail: origin },
        ...{ times: 1, last_at: operator.outside.now },
      })
      .execute(),
  );

/** The id of the website that the command has just made. */
const newest = () =>
  operator.beside(async (db) => {
    const ids = db.selectFrom("website").select("id").orderBy("id", "desc");
    return (await ids.executeTakeFirstOrThrow()).id;
  });

describe("setup", () => {
  test("makes publisher, website and allowlist, and prints the tag", async () => {
    const made: Made = await operator.done("setup --origin https://journal.example/news --block GB,us-nj");
    expect(made.tag).toBe(
      `<script async crossorigin src="http://127.0.0.1:8787/embed.js" data-pub="${made.publicKey}" data-website="${made.websiteKey}"></script>`,
    );
    expect(await operator.done("website list")).toMatchObject([
      {
        websiteKey: made.websiteKey,
        publisherId: made.publisherId,
        name: "journal.example",
        origins: ["https://journal.example", "https://www.journal.example"],
        development: false,
        geoRule: { mode: "blocklist", entries: ["GB", "US-NJ"], unknownLocation: "allow" },
        allowlist: { mode: "all", block: { verticals: ["gambling", "loans", "trading"] } },
      },
    ]);
    expect(await operator.done("publisher list")).toMatchObject([{ name: "journal.example", websites: 1 }]);
  });

  test("blocks what is of gambling, trading and loans by every name that the offers' verticals have, and says so", async () => {
    const { advertiserId } = await setUp(operator);
    for (const vertical of ["sports-betting", "forex"]) {
      const words = offerWords.with(offerWords.indexOf("travel"), vertical);
      await operator.done("offer create --advertiser", advertiserId, ...words);
    }
    const { out } = await operator.run(["setup", "--origin", "https://journal.example", "--no-wait"]);
    expect(out).toMatch(/never shows +forex, gambling, loans, sports-betting, trading/);
    expect(await operator.done("allowlist list")).toMatchObject([
      { mode: "allowlist" },
      { mode: "all", block: { verticals: ["forex", "gambling", "loans", "sports-betting", "trading"] } },
    ]);
  });

  test("says when the tag's address leads to this machine alone, and not of a page that stands here too", async () => {
    const says = async (origin: string, given: Record<string, string> = {}) => {
      const environment = { ...(await operator.environment()), ...given };
      const { code, err } = await operator.run(["setup", "--origin", origin, "--no-wait"], environment);
      expect(code).toBe(0);
      return err.includes(
        "note: BASE_URL is not set: http://127.0.0.1:8787 is reached from this machine alone",
      );
    };
    expect(await says("https://journal.example")).toBe(true);
    expect(await says("http://localhost:3000")).toBe(false);
    expect(await says("https://one.example", { BASE_URL: "https://offers.example" })).toBe(false);
    expect(await says("https://two.example", { HOST: "192.0.2.7" })).toBe(false);
  });

  test("puts the website to a publisher that there is, and says who has its address already", async () => {
    const { publisherId, websiteKey } = await setUp(operator);
    const again = ["setup", "--origin", "pier.example", "--publisher", publisherId, "--no-wait"];
    const { code, out, err } = await operator.run(again);
    expect(code).toBe(0);
    expect(err).toContain(`note: the website ${websiteKey} has this address, too\n`);
    expect(out).toContain("Paste this into the page");
    expect(await operator.done("publisher list")).toMatchObject([{ publisherId, websites: 2 }]);
  });

  test.each(["co.uk", "http://journal.example", "file:///tmp/page.html"])(
    "refuses %s, and leaves nothing behind",
    async (address) => {
      const { code, err } = await operator.run(["setup", "--origin", address]);
      expect(code).toBe(2);
      expect(err).toMatch(/^--origin: /m);
      expect(await operator.done("publisher list")).toEqual([]);
    },
  );

  test.each([
    ["FR", "?dev-country=FR"],
    ["US-NJ,GB", "?dev-country=US&dev-region=NJ"],
  ])(
    "makes a development website of a page on this machine, and says how to see it from %s",
    async (places, query) => {
      const { out } = await operator.run([
        "setup",
        "--origin",
        "localhost:3000",
        "--block",
        places,
        "--no-wait",
      ]);
      expect(out).toContain(`add ${query} to its address`);
      expect(await operator.done("website list")).toMatchObject([
        { development: true, origins: ["http://localhost:3000", "http://127.0.0.1:3000"] },
      ]);
    },
  );

  test("takes BASE_URL for the tag, and asks the service where it listens", async () => {
    const env = { DATA_DIR: operator.dataDir, BASE_URL: "https://offers.example", PORT: "9999" };
    operator.outside.isAnswering = false;
    const { out, code } = await operator.run(["setup", "--origin", "https://journal.example"], env);
    expect(code).toBe(1);
    expect(out).toContain('src="https://offers.example/embed.js"');
    expect(out).toContain("The service does not answer at http://127.0.0.1:9999.");
  });
});

describe("waiting for the first page", () => {
  const wait = () => operator.run(["setup", "--origin", "https://journal.example", "--block", "GB"]);

  test("names each thing that is wrong when it turns up, once, and turns green with the first page", async () => {
    const happens = [
      () => undefined,
      async () => refuse(await newest(), "https://blog.journal.example", "origin_not_registered"),
      () => undefined,
      () => refuse(0, "https://www.journal.example", "unknown_website"),
      async () => refuse(await newest(), "https://journal.example", "wrong_public_key"),
      async () => ping(await newest()),
    ];
    operator.outside.onPause = () => happens.shift()?.();
    const { code, out, err } = await wait();
    const complaints = err.split("\n").filter((line) => line !== "" && !line.startsWith("note: "));
    expect([code, complaints, happens.length]).toEqual([0, [], 0]);
    const lines = out.slice(out.indexOf("Waiting")).split("\n");
    expect(lines.filter((line) => /^[✘✔]/.test(line))).toEqual([
      "✘ Calls come from https://blog.journal.example, which is not registered.",
      "✔ It works: https://journal.example/news has loaded the tag.",
    ]);
    expect(lines).toContain(
      "! There is no active offer for this website, so blocked visitors are shown none.",
    );
  });

  test("does not take what happened elsewhere or before for its own", async () => {
    const { publisherId, websiteKey } = await setUp(operator);
    const origin = ["--origin", "https://journal.example"];
    const old = await operator.done("website create --name Old --publisher", publisherId, ...origin);
    await ping(await idOf(old.websiteKey));
    await ping(await idOf(websiteKey), "pier.example");
    await refuse(await idOf(websiteKey), "https://journal.example", "origin_not_registered");
    operator.outside.now += 1000;
    const happens = [() => undefined, async () => ping(await newest())];
    operator.outside.onPause = () => happens.shift()?.();
    const { code, out } = await wait();
    expect(code).toBe(0);
    expect(out).not.toContain("✘");
  });

  test("says so when the page carries another website's tag", async () => {
    const { publisherId } = await setUp(operator);
    const origin = ["--origin", "https://journal.example"];
    const old = await operator.done("website create --name Old --publisher", publisherId, ...origin);
    const happens = [async () => ping(await idOf(old.websiteKey)), async () => ping(await newest())];
    operator.outside.onPause = () => {
      operator.outside.now += 1;
      return happens.shift()?.();
    };
    const { code, out } = await wait();
    expect(code).toBe(0);
    expect(out).toContain(
      `A page of https://journal.example carries the tag of Old (${old.websiteKey}), where`,
    );
  });

  test("lists what may keep the page away after a minute, and ends after ten with 1", async () => {
    const { code, out } = await wait();
    expect(code).toBe(1);
    expect(operator.outside.now - testTime).toBe(600_000);
    expect(out.match(/No page has called the service yet/g)).toHaveLength(1);
    expect(out).toMatch(
      /No page has loaded the tag so far; to look again: website check --website ws_\S+\n$/,
    );
  });

  test("ends when nobody reads it any more", async () => {
    operator.outside.onPause = () => {
      operator.outside.isHeard = false;
    };
    const { code } = await wait();
    expect(code).toBe(1);
    expect(operator.outside.now - testTime).toBeLessThan(10_000);
  });

  test("is left out with --json", async () => {
    operator.outside.onPause = () => {
      throw new Error("it waits");
    };
    await operator.done("setup --origin https://journal.example");
    await expect(wait()).resolves.toMatchObject({ code: 4 });
  });
});

describe("a website", () => {
  test("is shown with its tag", async () => {
    const { websiteKey, publicKey } = await setUp(operator);
    const shown = await operator.done("website show --website", websiteKey);
    expect(shown).toMatchObject({ websiteKey, publicKey, origins: ["https://pier.example"], paused: false });
    expect(shown.tag).toContain(`data-website="${websiteKey}"`);
    const { out } = await operator.run(["website", "show", "--website", websiteKey]);
    expect(out).toContain(shown.tag);
    expect(out).toMatch(/^allowlist +nothing but nothing$/m);
    expect(out).toMatch(/^floor +-$/m);
    const floor = ["--floor-micros", "2500000", "--floor-currency", "USD"];
    await operator.done("website update --website", websiteKey, ...floor);
    const again = await operator.run(["website", "show", "--website", websiteKey]);
    expect(again.out).toMatch(/^floor +2\.50 USD$/m);
  });

  test("is paused and resumed", async () => {
    const { websiteKey } = await setUp(operator);
    expect(await operator.done("website pause --website", websiteKey)).toEqual({ websiteKey, paused: true });
    expect(await operator.done("website list")).toMatchObject([{ paused: true }]);
    expect(await operator.done("website resume --website", websiteKey)).toEqual({
      websiteKey,
      paused: false,
    });
    expect(await operator.done("website list")).toMatchObject([{ paused: false }]);
  });

  test("is checked: the causes in their order, and 1 until a page is well", async () => {
    const { websiteKey } = await setUp(operator);
    const check = async () => {
      const { code, out } = await operator.run(["website", "check", "--website", websiteKey, "--json"]);
      const { state, causes } = JSON.parse(out);
      return [code, state, causes.map((cause: { code: string }) => cause.code)];
    };
    const settings = ["allowlist_empty", "blocks_nobody", "no_support_contact"];
    expect(await check()).toEqual([1, "waiting", settings]);
    await refuse(await idOf(websiteKey), "https://www.pier.example", "origin_not_registered");
    await refuse(await idOf(websiteKey), "https://pier.example", "wrong_public_key");
    expect(await check()).toEqual([1, "broken", ["origin_not_registered", "wrong_public_key", ...settings]]);
    operator.outside.now += 1000;
    await ping(await idOf(websiteKey), "pier.example");
    expect(await check()).toEqual([0, "live", settings]);
    await operator.done("allowlist set --mode all --website", websiteKey);
    await operator.done("website update --geo-mode blocklist --geo-entries DE,FR --website", websiteKey);
    expect(await check()).toEqual([0, "live", ["no_offer_for_place", "no_support_contact"]]);
    const { out } = await operator.run(["website", "check", "--website", websiteKey]);
    expect(out).toContain("! Visitors in FR are blocked, and no offer that is permitted covers them.");
  });
});

test("an offer is shown", async () => {
  const { offerId } = await setUp(operator);
  const shown = await operator.done("offer show --offer", offerId);
  expect(shown).toMatchObject({ offerId, payoutMicros: 450_000, spentMicros: 0, status: "active" });
  const { out } = await operator.run(["offer", "show", "--offer", offerId]);
  expect(out).toMatch(/^payoutMicros +450000 \(0\.45\)$/m);
  const unknown = await operator.run(["offer", "show", "--offer", "offer_none"]);
  expect(unknown).toMatchObject({ code: 2, err: expect.stringContaining("--offer: no offer has the id") });
});

test("where the database fails it is not said that nothing was made, since the command goes on to wait", async () => {
  await operator.done("publisher create --name Pier");
  await operator.beside((db) =>
    whileLocked(db, async () => {
      const { code, err } = await operator.run("setup --origin https://journal.example".split(" "));
      expect(code).toBe(3);
      expect(err).toContain("see by website list whether the website is made");
      expect(err).not.toContain("nothing was changed");
    }),
  );
});
