import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { newOperator, type Operator, setUp } from "./operator-for-tests.ts";

let operator: Operator;
beforeEach(() => {
  operator = newOperator();
});
afterEach(() => operator.leave());

describe("changing", () => {
  test("writes what is given, bumps the version each time, and leaves the rest", async () => {
    const { publisherId, websiteKey, advertiserId, offerId } = await setUp(operator);
    const before = await operator.version();
    expect(await operator.done("publisher update --name New --publisher", publisherId)).toEqual({
      publisherId,
    });
    await operator.done(
      "website update --geo-mode allowlist --geo-entries FR --not-dismissible --website",
      websiteKey,
    );
    await operator.done("offer update --payout-micros 500000 --premium --daily-click-cap 9 --offer", offerId);
    await operator.done("offer update --daily-click-cap none --not-premium --offer", offerId);
    expect(await operator.done("offer pause --offer", offerId)).toEqual({ offerId, status: "paused" });
    expect(await operator.done("advertiser deposit --micros 250000 --advertiser", advertiserId)).toEqual({
      advertiserId,
      currency: "EUR",
      depositedMicros: 5_250_000,
      spentMicros: 0,
      balanceMicros: 5_250_000,
    });
    expect(await operator.version()).toBe(before + 6);
    expect(await operator.done("publisher list")).toMatchObject([{ name: "New" }]);
    expect(await operator.done("website list")).toMatchObject([
      {
        name: "Pier",
        geoRule: { mode: "allowlist", entries: ["FR"], unknownLocation: "allow" },
        settings: { dismissible: false, theme: "auto" },
      },
    ]);
    expect(await operator.done("offer list")).toMatchObject([
      {
        status: "paused",
        payoutMicros: 500_000,
        premium: false,
        dailyClickCap: null,
        title: "Two nights by the sea",
      },
    ]);
    expect(await operator.done("offer resume --offer", offerId)).toEqual({ offerId, status: "active" });
    expect(await operator.done("offer list")).toMatchObject([{ status: "active" }]);
  });

  test("takes how often clicks convert where conversions are paid for, and nowhere else", async () => {
    const { offerId } = await setUp(operator);
    const update = ["offer", "update", "--offer", offerId];
    const rate = ["--conversion-rate-basis-points"];
    const saved = async () => (await operator.done("offer list"))[0].conversionRateBasisPoints;
    expect(await saved()).toBe(null);
    const refusal =
      "--conversion-rate-basis-points: must be none: a CPC or CPM offer is not paid by its conversions";
    for (const model of ["CPC", "CPM"]) {
      const refused = await operator.run([...update, "--payout-model", model, ...rate, "300"]);
      expect(refused).toMatchObject({ code: 2, err: expect.stringContaining(refusal) });
    }
    expect(await operator.run([...update, "--payout-model", "CPA", ...rate, "10001"])).toMatchObject({
      code: 2,
    });
    await operator.done(update.join(" "), "--payout-model", "CPA", ...rate, "300");
    expect(await saved()).toBe(300);
    const back = await operator.run([...update, "--payout-model", "CPC"]);
    expect(back).toMatchObject({ code: 2, err: expect.stringContaining(refusal) });
    await operator.done(update.join(" "), "--payout-model", "CPC", ...rate, "none");
    expect(await saved()).toBe(null);
  });

  test("takes publishers that alone may show an offer, or that may not, and no others than there are", async () => {
    const { offerId, publisherId } = await setUp(operator);
    const update = ["offer", "update", "--offer", offerId];
    const saved = async () => {
      const [{ onlyPublishers, exceptPublishers }] = await operator.done("offer list");
      return { onlyPublishers, exceptPublishers };
    };
    expect(await saved()).toEqual({ onlyPublishers: [], exceptPublishers: [] });
    for (const option of ["--only-publishers", "--except-publishers"]) {
      const refused = await operator.run([...update, option, `${publisherId},publisher_none`]);
      const message = `${option}: no publisher has the id "publisher_none"`;
      expect(refused).toMatchObject({ code: 2, err: expect.stringContaining(message) });
    }
    await operator.done(update.join(" "), "--only-publishers", `${publisherId},${publisherId}`);
    expect(await saved()).toEqual({ onlyPublishers: [publisherId], exceptPublishers: [] });
    const both = await operator.run([...update, "--except-publishers", publisherId]);
    const message = "--except-publishers: cannot stand beside publishers that alone may show the offer";
    expect(both).toMatchObject({ code: 2, err: expect.stringContaining(message) });
    await operator.done(update.join(" "), "--only-publishers", "", "--except-publishers", publisherId);
    expect(await saved()).toEqual({ onlyPublishers: [], exceptPublishers: [publisherId] });
    const { out } = await operator.run("activity list".split(" "));
    expect(out).toContain(`exceptPublishers [] → ["${publisherId}"]`);
  });

  test("says that a click rate goes on, where recorded views were of another look", async () => {
    const { offerId } = await setUp(operator);
    const notes = async (...words: string[]) =>
      (await operator.run(["offer", "update", "--offer", offerId, ...words])).err;
    expect(await notes("--title", "One night by the sea")).toBe("");
    await operator.beside(async (db) => {
      const { number } = await db.selectFrom("offer").select("number").executeTakeFirstOrThrow();
      const seen = { offer: number, country: "DE", placement: 1, impressions: 5, clicks: 0, changed: 1 };
      await db.insertInto("rate_count").values(seen).execute();
    });
    expect(await notes("--payout-micros", "400000")).toBe("");
    expect(await notes("--title", "One night by the sea")).toBe("");
    expect(await notes("--title", "Three nights by the sea")).toMatch(
      /^note: its click rate goes on from the views and clicks .* only a new offer begins anew\n$/,
    );
    expect(await notes("--locale", "de", "--title", "Drei Tage am Meer")).toMatch(/^note: its click rate/);
  });

  test("says that an even budget may be left where visitors sleep, unless its hours are known", async () => {
    const { offerId } = await setUp(operator);
    const update = ["offer", "update", "--offer", offerId, "--daily-budget-micros", "20000000"];
    const cases: [string[], RegExp][] = [
      [
        ["--pacing", "even"],
        /^note: its budget is spread over the whole UTC day, .*--time-zone Asia\/Tokyo\n$/,
      ],
      [["--pacing", "asap"], /^$/],
      [["--pacing", "even", "--hours", "7-24", "--time-zone", "Asia/Tokyo"], /^$/],
      [["--pacing", "even"], /^$/],
      [["--pacing", "even", "--hours", ""], /^note: its budget is spread/],
      [["--payout-micros", "400000"], /^$/],
    ];
    for (const [words, note] of cases) {
      expect((await operator.run([...update, ...words])).err, words.join(" ")).toMatch(note);
    }
  });

  test("pays in only to the sum that is named, so that what is sent again is paid in once", async () => {
    const { advertiserId } = await setUp(operator);
    const words = ["--advertiser", advertiserId, "--micros", "250000", "--if-deposited-micros", "5000000"];
    expect(await operator.done("advertiser deposit", ...words)).toMatchObject({ depositedMicros: 5_250_000 });
    const again = await operator.run(["advertiser", "deposit", ...words]);
    expect(again).toMatchObject({ code: 2, out: "" });
    expect(again.err).toMatch(
      /^--if-deposited-micros: was not paid in.* activity list --advertiser advertiser_/,
    );
    expect(await operator.done("advertiser list")).toMatchObject([{ depositedMicros: 5_250_000 }]);
  });

  test("takes money back with a note, and never what is not there", async () => {
    const { advertiserId } = await setUp(operator);
    const adjust = (...words: string[]) =>
      operator.run(["advertiser", "adjust", "--advertiser", advertiserId, ...words]);
    const taken = await adjust("--micros", "-4500000", "--note", "Deposit of 5 was 0.50");
    expect(taken).toMatchObject({ code: 0, err: "" });
    expect(taken.out).toMatch(/^currency +EUR\ndeposited +0\.50\nspent +0\.00\nbalance +0\.50$/m);
    const more = await adjust("--micros=-500001", "--note", "n");
    expect(more).toMatchObject({ code: 2, out: "" });
    expect(more.err).toContain("--micros: must not take away more than 0.50 EUR (500000 micro-units)");
    for (const [words, says] of [
      [["--micros", "-1"], "--note is missing: what it is for"],
      [["--micros", "-1", "--note", ""], "--note: must not be empty"],
      [["--micros", "-1", "--note", " "], "--note: must not be empty"],
      [["--micros", "-1", "--note", "a\nb"], "--note: must be plain text on one line"],
      [["--micros", "-1", "--note", "x".repeat(201)], "--note: must be at most 200 characters"],
      [["--micros", "0", "--note", "n"], "--micros: must not be 0"],
      [
        ["--micros", "-1", "--note", "n", "--if-deposited-micros", "5"],
        "--if-deposited-micros: was not adjusted",
      ],
    ] as const) {
      const refused = await adjust(...words);
      expect(refused).toMatchObject({ code: 2, out: "" });
      expect(refused.err).toContain(says);
    }
    const noted = await operator.run([
      ...["advertiser", "deposit", "--advertiser", advertiserId, "--micros", "1", "--note", "a\tb"],
    ]);
    expect(noted.err).toContain("--note: must be plain text on one line");
    expect(await operator.done("advertiser list")).toMatchObject([
      { depositedMicros: 500_000, currency: "EUR" },
    ]);
  });

  test("says when a website's rule has come to block every visitor, and only when the rule is given", async () => {
    const { websiteKey } = await setUp(operator);
    const update = async (...words: string[]) =>
      (await operator.run(["website", "update", "--website", websiteKey, ...words])).err;
    const note = "note: no location is allowed: every located visitor meets the overlay\n";
    expect(await update("--geo-mode", "allowlist")).toBe(note);
    expect(await update("--theme", "dark")).toBe("");
    expect(await update("--geo-entries", "DE")).toBe("");
    expect(await update("--geo-entries", "")).toBe(note);
    expect(await update("--geo-mode", "blocklist")).toBe("");
  });

  test("refuses an accent that cannot be read, by the nearest that can, and takes that one", async () => {
    const { websiteKey } = await setUp(operator);
    const refused = await operator.run(["website", "update", "--accent", "ffd400", "--website", websiteKey]);
    expect(refused.code).toBe(2);
    expect(refused.err).toMatch(/--accent: .*light colours is 1\.36:1.* #816b00/);
    await operator.done("website update --radius 32 --accent 816B00 --website", websiteKey);
    await operator.done("website update --radius none --website", websiteKey);
    expect(await operator.done("website list")).toMatchObject([
      { settings: { accent: "#816b00", radius: null } },
    ]);
    const { err } = await operator.run(["website", "update", "--theme", "dark", "--website", websiteKey]);
    expect(err, "its dark colours would be drawn with it").toMatch(/dark colours/);
  });

  test("replaces an allowlist", async () => {
    const { websiteKey, offerId } = await setUp(operator);
    await operator.done("allowlist set --mode all --block-verticals travel --website", websiteKey);
    const saved = await operator.done(
      "allowlist set --mode allowlist --website",
      websiteKey,
      "--allow-brands",
      "Skyhop Travel, Nobody",
      "--allow-offers",
      offerId,
    );
    expect(saved).toEqual({
      websiteKey,
      mode: "allowlist",
      allow: { brands: ["Nobody", "Skyhop Travel"], verticals: [], offers: [offerId] },
      block: { brands: [], verticals: [], offers: [] },
      permitsNothing: false,
      warnings: ['no offer has the brand "Nobody" yet'],
    });
    const { warnings: _, ...listed } = saved;
    expect(await operator.done("allowlist list")).toEqual([listed]);
  });

  test("says that names of an allowlist make no difference where all is permitted", async () => {
    const { websiteKey } = await setUp(operator);
    const set = async (...words: string[]) =>
      (await operator.run(["allowlist", "set", "--website", websiteKey, ...words])).err;
    const note = /^note: mode all permits every offer that is not blocked: what --allow-/;
    expect(await set("--mode", "all", "--allow-verticals", "travel")).toMatch(note);
    expect(await set("--mode", "all", "--block-verticals", "travel")).toBe("");
    expect(await set("--mode", "allowlist", "--allow-verticals", "travel")).toBe("");
  });
});
