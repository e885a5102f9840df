import { offerInput } from "@offers/contract/catalogue";
import { advertiserId, offerId, publisherId } from "@offers/contract/ids";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Offer } from "./catalogue.ts";
import { cellOfText } from "./csv-cell.ts";
import { csvColumnName, csvColumnsFor, csvValueOf } from "./offer-csv-columns.ts";
import { completedLine, type OfferFile, offersOfList, offersOfRecords } from "./offer-file.ts";
import { sampleOffer } from "./sample-catalogue.ts";

const header = [
  "advertiserId",
  "brand",
  "vertical",
  "title",
  "landingUrl",
  "geoCoverage",
  "payoutModel",
  "payoutMicros",
];
const good = [
  "advertiser_1",
  "Lumen",
  "mobile",
  "Ten gigabytes",
  "https://lumen.example/",
  "DE, US-NJ",
  "CPC",
  "250000",
];
/** Each line as the offer that it means where nothing is saved. */
const asNew = ({ offers }: OfferFile) =>
  offers.map((line) => {
    const read = "input" in line ? line : completedLine(line, null);
    if (!("input" in read)) throw new Error(JSON.stringify(read.problems));
    return read;
  });
const records = (...rows: string[][]) => rows.map((cells, at) => ({ line: at + 1, cells }));
const changed = (column: string, cell: string) => good.map((old, at) => (header[at] === column ? cell : old));
const item = {
  advertiserId: "advertiser_1",
  brand: "Lumen",
  vertical: "mobile",
  title: "Ten gigabytes",
  landingUrl: "https://lumen.example/",
  geoCoverage: ["DE"],
  payoutModel: "CPC",
  payoutMicros: 250_000,
};

describe("a CSV file of offers", () => {
  it("reads each line into an offer with the defaults of what it leaves out", () => {
    const file = offersOfRecords(records(header, good));
    expect(file).toMatchObject({
      problems: [],
      offers: [
        {
          line: 2,
          offerId: null,
          status: null,
          input: {
            brand: "Lumen",
            geoCoverage: ["DE", "US-NJ"],
            payoutMicros: 250_000,
            premium: false,
            dailyClickCap: null,
          },
        },
      ],
    });
  });

  it("knows the columns in other spellings and in the command line's words", () => {
    const other = [
      "advertiser",
      "Brand",
      "vertical",
      "TITLE",
      "landing-url",
      "geo",
      "Payout Model",
      "payout_micros",
    ];
    expect(offersOfRecords(records(other, good))).toEqual(offersOfRecords(records(header, good)));
  });

  it("takes away the apostrophe that keeps a cell from being a formula", () => {
    const file = offersOfRecords(records(header, changed("title", "'=Sum of all offers")));
    expect(file).toMatchObject({ problems: [], offers: [{ input: { title: "=Sum of all offers" } }] });
  });

  it.each([
    ["brand", "", "is missing"],
    ["payoutMicros", "12.5", "must be a whole number"],
    ["payoutMicros", "-1", "must be a whole number"],
    ["payoutMicros", "1e3", "must be a whole number"],
    ["payoutMicros", "99999999999999999999", "must be a whole number"],
    ["payoutModel", "CPX", "must be one of CPC, CPM, CPA, CPL, REVSHARE"],
    ["geoCoverage", "Germany", "must be"],
    ["vertical", "Mobile Phones", "must be lower-case"],
    ["advertiserId", "lumen", "must be advertiser_"],
  ])("names the line and the column of a bad %s: %j", (column, cell, message) => {
    const file = offersOfRecords(records(header, good, changed(column, cell), good));
    expect(file).toEqual({
      offers: [expect.anything(), expect.anything()],
      problems: [{ line: 3, column, message: expect.stringContaining(message) }],
    });
  });

  it("names every bad line, not just the first", () => {
    const file = offersOfRecords(
      records(header, changed("brand", ""), good, changed("payoutModel", "x"), changed("payoutMicros", "x")),
    );
    expect(file.problems.map(({ line, column }) => [line, column])).toEqual([
      [2, "brand"],
      [4, "payoutModel"],
      [5, "payoutMicros"],
    ]);
  });

  it.each([
    ["a line with a cell too few", records(header, good.slice(1)), 2, ""],
    ["a line with a cell too many", records(header, [...good, "x"]), 2, ""],
    ["a column that offers do not have", records([...header, "colour"], [...good, "red"]), 1, "colour"],
    ["a column twice", records([...header, "brand"], [...good, "x"]), 1, "brand"],
    ["nothing at all", [], 1, ""],
    [
      "one offer on two lines",
      records([...header, "offerId"], [...good, "offer_1"], [...good, "offer_1"]),
      3,
      "offerId",
    ],
    ["a status that does not exist", records([...header, "status"], [...good, "gone"]), 2, "status"],
    ["an id that is none", records([...header, "offerId"], [...good, "lumen"]), 2, "offerId"],
  ])("is refused with %s", (_name, given, line, column) => {
    expect(offersOfRecords(given)).toMatchObject({ problems: [{ line, column }] });
  });

  it.each([
    ["true", true],
    ["YES", true],
    ["1", true],
    ["false", false],
    ["No", false],
    ["0", false],
    ["", false],
  ])("reads the flag %j as %s", (cell, premium) => {
    const file = offersOfRecords(records([...header, "premium"], [...good, cell]));
    expect(file).toMatchObject({ problems: [], offers: [{ input: { premium } }] });
  });

  it("reads no flag in another word, and says which words are flags", () => {
    const file = offersOfRecords(records([...header, "premium"], [...good, "10"]));
    const message = 'must be true or false (given: "10")';
    expect(file.problems).toEqual([{ line: 2, column: "premium", message }]);
  });

  it.each(["active", "paused"])("reads the status %s", (status) => {
    const file = offersOfRecords(records([...header, "status"], [...good, status]));
    expect(file).toMatchObject({ problems: [], offers: [{ offerId: null, status }] });
  });

  it("gives the conversion rate of an exported offer back", () => {
    const offer = sampleOffer({ payoutModel: "CPL", conversionRateBasisPoints: 1250 });
    const columns = csvColumnsFor([offer]);
    const cells = columns.map((column) => String(csvValueOf(offer, column)));
    const [line] = asNew(offersOfRecords(records(columns.map(csvColumnName), cells)));
    expect(line?.input).toMatchObject({ payoutModel: "CPL", conversionRateBasisPoints: 1250 });
  });

  it("gives an exported offer back exactly", () => {
    const offer: Offer = {
      number: 1,
      id: offerId.parse("offer_1"),
      status: "paused",
      advertiserId: advertiserId.parse("advertiser_1"),
      brand: "Lumen",
      vertical: "mobile",
      title: "=Ten",
      description: "",
      ctaText: "Go, now",
      imageUrl: null,
      landingUrl: "https://lumen.example/?c={click_id}",
      disclosure: "",
      terms: "",
      language: "en-GB",
      locales: { de: { title: "Zehn", terms: "Nur neu" }, "pt-BR": { title: "Dez" } },
      geoCoverage: ["DE", "US-NJ"],
      payoutModel: "CPC",
      payoutMicros: 2000,
      conversionRateBasisPoints: null,
      currency: "EUR",
      premium: true,
      dailyBudgetMicros: 0,
      totalBudgetMicros: null,
      dailyClickCap: 7,
      totalClickCap: null,
      pacing: "even",
      startsAt: "2026-12-01",
      endsAt: "2026-12-24T18:00",
      days: ["mon", "sun"],
      hours: ["9-17", "22-24"],
      timeZone: "Europe/Berlin",
      languages: ["de", "pt-BR"],
      devices: ["phone"],
      onlyPublishers: [],
      exceptPublishers: [publisherId.parse("publisher_1"), publisherId.parse("publisher_2")],
    };
    const columns = csvColumnsFor([offer]);
    const cells = columns.map((column) => String(csvValueOf(offer, column)));
    const file = offersOfRecords(records(columns.map(csvColumnName), cells));
    const { id, number: _, status, ...input } = offer;
    expect(file.problems).toEqual([]);
    expect(asNew(file)).toEqual([{ line: 2, offerId: id, status, input }]);
  });
});

describe("texts in other languages", () => {
  const tags = ["de", "de-AT", "es-419", "ja", "pt-BR", "zh-Hant"];
  const blank = fc.constantFrom("", "", " ", "\u00a0");
  const text = fc
    .tuple(blank, fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }), blank)
    .map((parts) => parts.join("").replace(/[\p{Cc}\p{Surrogate}\u2028\u2029]/gu, ""))
    .filter((one) => one.trim() !== "");
  const locales = fc.dictionary(
    fc.constantFrom(...tags),
    fc.record(
      // Some graphemes are of six units.
      { title: text, ctaText: text.filter((one) => one.trim().length <= 40), terms: text },
      { requiredKeys: ["title"] },
    ),
  );

  const allTexts = fc.record({
    ...{ locales, language: fc.constantFrom("", "en", "fr-CA") },
    ...{ brand: text, title: text, terms: text },
  });

  it("come back from a file as they were, whatever they and their neighbours are", () => {
    fc.assert(
      fc.property(fc.array(allTexts), (given) => {
        const offers = given.map((members, at) =>
          sampleOffer({ ...offerInput.parse({ ...item, ...members }), id: `offer_${at}` }),
        );
        const columns = csvColumnsFor(offers);
        const rows = offers.map((offer) =>
          columns.map((column) => {
            const value = csvValueOf(offer, column);
            return typeof value === "string" ? cellOfText(value) : String(value);
          }),
        );
        const csv = offersOfRecords(records(columns.map(csvColumnName), ...rows));
        const json = offersOfList(
          JSON.parse(JSON.stringify(given.map((members) => ({ ...item, ...members })))),
        );
        for (const file of [csv, json]) {
          expect(file.problems).toEqual([]);
          expect(asNew(file).map(({ input }) => input)).toEqual(
            offers.map(({ id: _, number: __, status: ___, ...input }) => input),
          );
        }
      }),
    );
  });

  it.each([
    ["de:title", "de:title", "such as title:de"],
    ["title:", "title:", "such as title:de"],
    ["brand:de", "brand:de", "such as title:de"],
    ["locales", "locales", "such as title:de"],
    ["title:d", "title:d", "such as title:de"],
  ])("stand in no column %s of a CSV file", (cell, column, message) => {
    const file = offersOfRecords(records([...header, cell], [...good, "x"]));
    expect(file.problems).toEqual([{ line: 1, column, message: expect.stringContaining(message) }]);
  });

  it("are one column in two spellings", () => {
    const file = offersOfRecords(records([...header, "Title:pt-br", "title:pt_BR"], [...good, "x", "y"]));
    expect(file.problems).toEqual([
      { line: 1, column: "title:pt-BR", message: "stands twice in the header" },
    ]);
  });

  it.each([
    ["too long", { de: { ctaText: "x".repeat(41) } }, "ctaText:de"],
    ["under no tag", { German: { title: "Zehn" } }, "locales.German"],
    ["under a name that is no text", { de: { titel: "Zehn" } }, "locales.de"],
    ["under two spellings of one tag", { "pt-br": { title: "x" }, "pt-BR": { title: "y" } }, "locales.pt-BR"],
    ["that are no texts", { de: "Zehn" }, "locales.de"],
  ])("are refused where they are %s", (_name, given, column) => {
    expect(offersOfList([{ ...item, locales: given }]).problems).toMatchObject([{ line: 1, column }]);
  });

  it("are kept by one spelling of their tags, in order, and not where they are blank", () => {
    const given = { "pt-br": { title: "Dez", terms: " " }, fr: { title: "" }, DE_at: { title: "Zehn" } };
    const [offer] = asNew(offersOfList([{ ...item, locales: given, language: "EN-gb" }]));
    expect(JSON.stringify(offer?.input.locales)).toBe('{"de-AT":{"title":"Zehn"},"pt-BR":{"title":"Dez"}}');
    expect(offer?.input.language).toBe("en-GB");
  });
});

describe("a JSON file of offers", () => {
  it("reads each item", () => {
    const file = offersOfList([{ ...item, offerId: "offer_9" }, item]);
    expect(file.problems).toEqual([]);
    expect(asNew(file)).toMatchObject([
      { line: 1, offerId: "offer_9", input: { brand: "Lumen" } },
      { line: 2, offerId: null },
    ]);
  });

  it.each([
    ["an object instead of a list", {}, 1, ""],
    ["an item that is no object", [item, null], 2, ""],
    ["an item that is a text", [item, "Lumen"], 2, ""],
    ["an item that is a number", [item, 5], 2, ""],
    ["an item that is a list", [item, [item]], 2, ""],
    ["a member that offers do not have", [{ ...item, colour: "red" }], 1, "colour"],
    ["one that is null", [{ ...item, colour: null }], 1, "colour"],
    ["no title", [{ ...item, title: null }], 1, "title"],
    ["a member of the wrong type", [item, { ...item, payoutMicros: "12" }], 2, "payoutMicros"],
    ["a hostile member", [JSON.parse('{"__proto__":{"brand":"x"}}')], 1, "__proto__"],
  ])("is refused with %s", (_name, list, line, column) => {
    const file = offersOfList(list);
    expect(file.problems).toContainEqual(expect.objectContaining({ line, column }));
  });
});

describe("a line beside the offer that it names", () => {
  const saved = sampleOffer({
    id: "offer_1",
    locales: { de: { title: "Zehn", terms: "Nur neu" }, fr: { title: "Dix" } },
    ...{ dailyBudgetMicros: 5_000_000, pacing: "even", dailyClickCap: 7, endsAt: "2026-12-24" },
    ...{ days: ["mon"], hours: ["9-17"], devices: ["phone"], languages: ["de"], premium: true },
  });
  const { id: _, number: __, status: ___, ...savedInput } = saved;
  const beside = (file: OfferFile) => {
    const [line] = file.offers;
    if (line === undefined || "input" in line) throw new Error("no line of the file names its offer");
    return completedLine(line, saved);
  };

  it("keeps all that a CSV file has no column for", () => {
    const file = offersOfRecords(records(["offerId", "payoutMicros"], ["offer_1", "7000"]));
    expect(file.problems).toEqual([]);
    expect(beside(file)).toEqual({
      ...{ line: 2, offerId: "offer_1", status: null },
      input: { ...savedInput, payoutMicros: 7000 },
    });
  });

  it("keeps all that an item has no member for, and lifts what is null in it", () => {
    const lists = { days: null, hours: null, languages: null, devices: null };
    const file = offersOfList([
      { offerId: "offer_1", status: null, endsAt: null, ...lists, locales: { fr: { title: "Onze" } } },
    ]);
    expect(file.problems).toEqual([]);
    expect(beside(file)).toMatchObject({
      status: null,
      input: {
        ...savedInput,
        ...{ endsAt: null, days: [], hours: [], languages: [], devices: [] },
        locales: { fr: { title: "Onze" } },
      },
    });
  });

  it("lifts what has an empty cell", () => {
    const columns = ["offerId", "pacing", "dailyBudgetMicros", "days", "title:de"];
    const file = offersOfRecords(records(columns, ["offer_1", "", "", "", ""]));
    expect(beside(file)).toEqual({
      ...{ line: 2, offerId: "offer_1", status: null },
      input: {
        ...savedInput,
        ...{ pacing: "asap", dailyBudgetMicros: null, days: [] },
        locales: { de: { terms: "Nur neu" }, fr: { title: "Dix" } },
      },
    });
  });

  it("may leave cells empty for more languages than an offer may have, and is judged by those that it fills", () => {
    const tags = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, at) => `de-1${String(from + at).padStart(3, "0")}`);
    const columns = ["offerId", ...tags(0, 80).map((tag) => `title:${tag}`)];
    const line = (filled: number) => ["offer_1", ...tags(0, 80).map((_, at) => (at < filled ? "Zehn" : ""))];
    const withTags = {
      ...saved,
      locales: Object.fromEntries(tags(40, 80).map((tag) => [tag, { title: "x" }])),
    };
    const readBy = (filled: number) => {
      const [named] = offersOfRecords(records(columns, line(filled))).offers;
      if (named === undefined || "input" in named) throw new Error("no line of the file names its offer");
      return completedLine(named, withTags);
    };
    // Forty are filled, and the texts that were there under the other tags are taken away.
    expect(readBy(40)).toMatchObject({ input: { locales: { "de-1000": { title: "Zehn" } } } });
    expect(Object.keys(Object(Object(readBy(40)).input).locales)).toEqual(tags(0, 40));
    expect(readBy(61)).toMatchObject({
      problems: [{ column: "locales", message: expect.stringContaining("must be at most 60") }],
    });
  });

  it("is judged with what it keeps", () => {
    const columns = ["offerId", "dailyBudgetMicros", "dailyClickCap"];
    expect(beside(offersOfRecords(records(columns, ["offer_1", "", ""])))).toEqual({
      line: 2,
      problems: [{ line: 2, column: "pacing", message: expect.stringContaining("nothing to spread") }],
    });
    const even = offersOfRecords(records(["offerId", "pacing"], ["offer_1", "even"]));
    expect(beside(even)).toMatchObject({ input: { pacing: "even", dailyBudgetMicros: 5_000_000 } });
  });

  it.each([
    ["CSV", offersOfRecords(records(["offerId", "status"], ["offer_1", "gone"]))],
    ["JSON", offersOfList([{ offerId: "offer_1", status: "gone" }])],
  ])("is refused for its status, though all else is well (%s)", (_, file) => {
    expect(beside(file)).toMatchObject({
      problems: [{ column: "status", message: "must be active or paused" }],
    });
  });

  it("is a new offer's where there is none, and lacks what that needs", () => {
    const [line] = offersOfRecords(records(["offerId", "title"], ["offer_2", "Ten"])).offers;
    if (line === undefined || "input" in line) throw new Error("the line does not name its offer");
    const read = completedLine(line, null);
    expect("problems" in read && read.problems).toContainEqual({
      ...{ line: 2, column: "brand" },
      message: "is missing",
    });
  });
});
