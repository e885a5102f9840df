import { offerInput } from "@offers/contract/catalogue";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { dayNumber } from "../core/utc-day.ts";
import { offerNoun } from "./offer.ts";
import { newOperator, type Operator, offerWords, setUp, testTime } from "./operator-for-tests.ts";

let operator: Operator;
beforeEach(() => {
  operator = newOperator();
});
afterEach(() => operator.leave());

describe("setting up", () => {
  test("makes ids that each list shows, on a file that did not exist", async () => {
    const { publisherId, publicKey, websiteKey, advertiserId, offerId } = await setUp(operator);
    expect(await operator.version()).toBe(5);
    expect(await operator.done("publisher list")).toEqual([
      {
        publisherId,
        publicKey,
        name: "Pier",
        shareBasisPoints: 10_000,
        showSpend: true,
        websites: 1,
        createdAt: testTime,
      },
    ]);
    expect(await operator.done("website list")).toMatchObject([
      {
        websiteKey,
        publicKey,
        publisherId,
        vertical: "news",
        development: false,
        origins: ["https://pier.example"],
      },
    ]);
    expect(await operator.done("advertiser list")).toMatchObject([
      { advertiserId, balanceMicros: 5_000_000, offers: 1 },
    ]);
    expect(await operator.done("offer list")).toMatchObject([
      {
        offerId,
        advertiserId,
        status: "active",
        geoCoverage: ["DE", "US-NJ"],
        payoutMicros: 450_000,
        premium: false,
      },
    ]);
    expect(await operator.done("allowlist list")).toMatchObject([
      { websiteKey, mode: "allowlist", permitsNothing: true },
    ]);
  });

  test("prints keys for reading, and a note beside them", async () => {
    const { publisherId } = await operator.done("publisher create --name", "Pier");
    const made = await operator.run([
      "website",
      "create",
      "--publisher",
      publisherId,
      "--name",
      "P",
      "--origin",
      "https://p.example",
    ]);
    expect(made.code).toBe(0);
    expect(made.out).toMatch(
      /^websiteKey {2}ws_\S+\npublicKey {3}pub_\S+\ntag {9}<script async crossorigin src="http:\/\/127.0.0.1:8787\/embed.js" .+<\/script>\n$/,
    );
    expect(made.err).toContain("note: it may show no offer yet");
    expect(made.err).toContain(
      "note: BASE_URL is not set: http://127.0.0.1:8787 is reached from this machine alone",
    );
  });

  test("takes every setting of a website", async () => {
    const { publisherId } = await operator.done("publisher create --name", "Pier");
    await operator.done(
      "website create --geo-mode allowlist --geo-entries DE,us-nj --unknown-location block --theme dark --accent FFD400 --radius 4 --font inherit --logo https://p.example/l.svg --language de --trigger exit --frequency day --placement bottom --include /news/*,/über --exclude /imprint --not-dismissible --development --publisher",
      ...[publisherId, "--name", "P", "--origin", "https://p.example", "--origin", "http://localhost:8788"],
      ...["--title", "Hello", "--message", "From here, not", "--support-email", "a@p.example"],
      ...["--support-url", "https://p.example/help", "--support-label", "Help", "--own-brand", "Pier"],
      ...["--fallback-url", "https://p.example/offers", "--fallback-label", "More of ours"],
    );
    expect(await operator.done("website list --publisher", publisherId)).toMatchObject([
      {
        origins: ["https://p.example", "http://localhost:8788"],
        vertical: "unassigned",
        ownBrand: "Pier",
        development: true,
        geoRule: { mode: "allowlist", entries: ["DE", "US-NJ"], unknownLocation: "block" },
        settings: {
          theme: "dark",
          accent: "#ffd400",
          radius: 4,
          font: "inherit",
          logo: "https://p.example/l.svg",
          language: "de",
          trigger: "exit",
          frequency: "day",
          placement: "bottom",
          pages: { include: ["/news/*", "/%C3%BCber"], exclude: ["/imprint"] },
          dismissible: false,
          title: "Hello",
          message: "From here, not",
          supportContact: { email: "a@p.example", url: "https://p.example/help", label: "Help" },
          fallbackUrl: "https://p.example/offers",
          fallbackLabel: "More of ours",
        },
      },
    ]);
  });

  test("takes every member of an offer", async () => {
    const { advertiserId } = await operator.done(
      "advertiser create --name A --currency CHF --balance-micros 0",
    );
    const { offerId } = await operator.done(
      "offer create --premium --daily-budget-micros 1000000 --total-budget-micros 2000000 --daily-click-cap 3 --total-click-cap 4 --currency CHF --advertiser",
      ...[
        advertiserId,
        ...offerWords,
        "--description",
        "D",
        "--cta",
        "Go",
        "--disclosure",
        "Paid",
        "--terms",
        "T",
      ],
      ...["--image-url", "https://skyhop.example/mark.svg"],
    );
    expect(await operator.done("offer list --advertiser", advertiserId)).toMatchObject([
      {
        offerId,
        description: "D",
        ctaText: "Go",
        disclosure: "Paid",
        terms: "T",
        imageUrl: "https://skyhop.example/mark.svg",
        currency: "CHF",
        premium: true,
        dailyBudgetMicros: 1_000_000,
        totalBudgetMicros: 2_000_000,
        dailyClickCap: 3,
        totalClickCap: 4,
      },
    ]);
  });
});

test("an offer is in the currency of its advertiser, and in no other", async () => {
  const { advertiserId } = await operator.done(
    "advertiser create --name A --currency CHF --balance-micros 0",
  );
  await operator.done("offer create --advertiser", advertiserId, ...offerWords);
  expect(await operator.done("offer list")).toMatchObject([{ currency: "CHF" }]);
  const other = ["offer", "create", "--advertiser", advertiserId, "--currency", "EUR", ...offerWords];
  const refused = await operator.run(other);
  expect(refused).toMatchObject({ code: 2, out: "" });
  expect(refused.err).toContain("--currency: must be CHF, in which its advertiser pays");
  expect(await operator.run(["advertiser", "list"])).toMatchObject({
    out: expect.stringMatching(/^ADVERTISER +CURRENCY .*\nadvertiser_\S+ +CHF +0\.00 /),
  });
});

test("what an offer has cost is shown in all, and of today alone", async () => {
  const { offerId } = await setUp(operator);
  const shown = () => operator.done("offer show --offer", offerId);
  expect(await shown()).toMatchObject({ spentMicros: 0, spentTodayMicros: 0, clicksToday: 0 });
  const today = dayNumber(testTime);
  await operator.beside((db) =>
    db
      .insertInto("spend")
      .values([
        { subject: offerId, day: 0, spent_micros: 2_700_000, billed_clicks: 6 },
        { subject: offerId, day: today - 1, spent_micros: 1_800_000, billed_clicks: 4 },
        { subject: offerId, day: today, spent_micros: 900_000, billed_clicks: 2 },
        { subject: "offer_x", day: today, spent_micros: 1, billed_clicks: 1 },
      ])
      .execute(),
  );
  expect(await shown()).toMatchObject({
    ...{ spentMicros: 2_700_000, billedClicks: 6 },
    ...{ spentTodayMicros: 900_000, clicksToday: 2 },
  });
  const { out } = await operator.run(["offer", "show", "--offer", offerId]);
  expect(out).toMatch(/^spentTodayMicros +900000 \(0\.90\)\nclicksToday +2$/m);
});

test("every member of an offer is an option, but for its translations", () => {
  const create = offerNoun.commands.find(({ verb }) => verb === "create");
  const options = create?.options.map(({ field }) => field) ?? [];
  const missing = Object.keys(offerInput.shape).filter((name) => !options.includes(name));
  expect(missing).toEqual(["locales"]);
});

describe("lists for reading", () => {
  test("line up below their titles", async () => {
    const { offerId } = await setUp(operator);
    const { out } = await operator.run(["offer", "list"]);
    const [titles, row] = out.split("\n");
    expect(titles).toMatch(/^OFFER +STATUS +VERTICAL/);
    expect(row).toContain(offerId);
    expect(row?.indexOf("active")).toBe(titles?.indexOf("STATUS"));
    for (const noun of ["publisher", "website", "allowlist", "advertiser"]) {
      expect((await operator.run([noun, "list"])).out.split("\n")).toHaveLength(3);
    }
  });

  test("say so when they are empty", async () => {
    await operator.done("publisher create --name Pier");
    expect(await operator.run(["offer", "list"])).toEqual({ code: 0, out: "none\n", err: "" });
    expect(await operator.done("offer list")).toEqual([]);
  });
});
