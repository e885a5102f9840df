import { tmpdir } from "node:os";
import { type WebsiteKey, websiteKey } from "@offers/contract/ids";
import {
  defaultGrouping,
  type ReportAnswer,
  type ReportRow,
  reportDimensions,
} from "@offers/contract/reports";
import { deviceClasses, placements } from "@offers/contract/words";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { deviceOf } from "../../core/device-class.ts";
import { type CountableEvent, type FigureName, figures, isMoney } from "../../core/figures.ts";
import type { JournalEntry } from "../../core/journal-entry.ts";
import type { Narrowing, ReportFilter } from "../../core/report-filter.ts";
import { seededRandom } from "../../core/seeded-random.ts";
import { dateOfDay } from "../../core/utc-day.ts";
import { showEvents } from "../../testing/stored-rows.ts";
import { addAdvertiser, addOffer } from "../conformance/journal-for-tests.ts";
import { randomEntries, terms } from "../conformance/random-visits-for-tests.ts";
import { prepareCells } from "../sqlite/cells.ts";
import { newCatalogueFile } from "../sqlite/file-for-tests.ts";
import { prepareSettlingAll } from "../sqlite/waiting-sums.ts";
import { prepareBatchWriter } from "../sqlite/write-batch.ts";
import { makePublishers } from "./counters-for-tests.ts";
import { recount } from "./recount.ts";
import { reportText } from "./report-text.ts";
import { sameBooks } from "./same-books-for-tests.ts";

const websites = [1, 2, 3].map((id) => ({ id, key: websiteKey.parse(`ws_${id}`) }));
const brands = ["Shared", "Shared", "Of its own", "shared"];
const hourMs = 3_600_000;

/** The number that a request's name ends with: what its visit is like follows from it. */
const numberOf = (request: string): number => Number(/^r(\d+)/.exec(request)?.[1]);
const regionOf = (request: string): string => ["", "BE", "NY"][numberOf(request) % 3] ?? "";
const deviceNumberOf = (request: string): number => numberOf(request) % (deviceClasses.length + 1);
const placementOfVisit = (request: string) => placements[numberOf(request) % placements.length] ?? "section";

/** The same entries from several regions and devices, with offers in several placements, over two days and a half. */
const spread = (entry: JournalEntry): JournalEntry => {
  if (!("visit" in entry)) return entry;
  const { request, at } = entry.visit;
  const visit = {
    ...entry.visit,
    region: regionOf(request),
    device: deviceNumberOf(request),
    at: at + (numberOf(request) % 61) * hourMs,
  };
  const placement = placementOfVisit(request);
  return entry.kind === "served"
    ? { ...entry, visit, offers: entry.offers.map((offer) => ({ ...offer, placement })) }
    : ({ ...entry, visit } as JournalEntry);
};

type Event = {
  type: CountableEvent["type"];
  website_id: number;
  offer_id: string;
  country: string;
  region: string;
  vertical: string;
  surface: string;
  placement: string | null;
  at: number;
  reason: string | null;
  test: 0 | 1;
  currency: string;
  billed_micros: number | null;
  earned_micros: number | null;
  request: string;
};

let books: Awaited<ReturnType<typeof sameBooks>>;
let events: Event[];
beforeAll(async () => {
  const recorded = await newCatalogueFile(tmpdir());
  const { db, sqlite } = recorded;
  showEvents(sqlite);
  await makePublishers(db, [3, 1]);
  await addAdvertiser(db, "advertiser_1", 300_000);
  for (const [id, { model, micros }] of Object.entries(terms)) {
    await addOffer(db, { id, advertiser: "advertiser_1", payoutMicros: micros, payout_model: model });
  }
  for (const [index, brand] of brands.entries()) {
    await db
      .updateTable("offer")
      .set({ brand })
      .where("number", "=", index + 1)
      .execute();
  }
  const random = seededRandom(20_260_505);
  const entries = randomEntries(random, 500).map(spread);
  const writer = prepareBatchWriter(sqlite);
  const settle = sqlite.transaction(prepareSettlingAll(sqlite, prepareCells(sqlite)));
  for (let at = 0; at < entries.length; ) {
    const size = 1 + Math.floor(random() * 40);
    writer.write(entries.slice(at, at + size), 0);
    at += size;
    // As when it has become much.
    if (at < entries.length / 2) settle();
  }
  events = sqlite.prepare("select * from event").all() as Event[];
  books = await sameBooks(recorded);
});
afterAll(() => books.close());

test("some lines are settled and some wait, and a recount finds all of them right", async () => {
  expect(await books.count("detail")).toBeGreaterThan(100);
  expect(await books.count("detail_delta")).toBeGreaterThan(10);
  expect(events.length).toBeGreaterThan(8000);
  expect((await recount(books.db)).differences).toEqual([]);
});

const date = fc
  .integer({ min: -1, max: 5 })
  .map((days) => dateOfDay(Date.UTC(2026, 4, 4) / 86_400_000 + days));
const narrowing = {
  surface: fc.constantFrom("overlay" as const, "section" as const),
  country: fc.constantFrom("DE", "US"),
  vertical: fc.constantFrom("games", "news"),
  region: fc.constantFrom("DE-BE", "US-NY"),
  offer: fc.constantFrom("offer_cpc", "offer_cpm"),
  brand: fc.constantFrom("Shared", "Of its own", "nobody's"),
  placement: fc.constantFrom(...placements),
  device: fc.constantFrom(...deviceClasses),
} satisfies Record<keyof Narrowing, unknown>;
const names = Object.keys(narrowing) as (keyof typeof narrowing)[];
const filters = fc
  .record({
    websites: fc.constantFrom(websites.slice(0, 1), websites.slice(0, 2), websites),
    days: fc.tuple(date, date),
    groupBy: fc.subarray([...reportDimensions], { minLength: 1 }),
    test: fc.constantFrom(false, false, true),
    utcOffset: fc.oneof(fc.constant(undefined), fc.integer({ min: -12, max: 14 })),
    chosen: fc.subarray(names, { maxLength: 2 }),
    all: fc.record(narrowing),
  })
  .map(({ days, chosen, all, ...filter }): ReportFilter => {
    const [from = "", to = ""] = days.toSorted();
    const narrowed = Object.fromEntries(chosen.map((name) => [name, all[name]]));
    return { ...filter, ...narrowed, from, to, eventTypes: [] };
  });

const read = async (filter: ReportFilter): Promise<ReportAnswer> =>
  JSON.parse(new TextDecoder().decode(await reportText(books.db, filter, "json")));

/** Everything by everything: what is drawn may by chance be reports of hardly a row. */
const everything = (): ReportFilter => ({
  ...{ websites, groupBy: [...reportDimensions], test: false, utcOffset: undefined, eventTypes: [] },
  ...{ from: "2026-05-03", to: "2026-05-09" },
});

test("a report equals a plain sum over the events, whatever is asked for", async () => {
  let rows = 0;
  await fc.assert(
    fc.asyncProperty(filters, async (filter) => {
      const { items, totals } = await read(filter);
      const plain = plainRows(filter);
      expect(items.map(textOf).sort()).toEqual(plain.map(textOf).sort());
      for (const { name, column } of figures) {
        if (!isMoney(column)) expect(totals[name]).toBe(plain.reduce((sum, row) => sum + row[name], 0));
      }
      rows += items.length;
    }),
    { numRuns: 25, examples: [[everything()]] },
  );
  expect(rows).toBeGreaterThan(500);
});

test("rows of any grouping add up to what the counters say, exactly, and stand in its order", async () => {
  const whole = { websites, from: "2026-05-04", to: "2026-05-07", test: false, eventTypes: [] };
  const counted = await read({ ...whole, groupBy: defaultGrouping });
  expect(counted.totals.impressions).toBeGreaterThan(500);
  await fc.assert(
    fc.asyncProperty(fc.subarray([...reportDimensions], { minLength: 1 }), async (groupBy) => {
      const { items, totals, totalsByCurrency } = await read({ ...whole, groupBy });
      expect(totals).toEqual(counted.totals);
      const money = ({ totalsByCurrency: all }: Pick<ReportAnswer, "totalsByCurrency">) =>
        all
          .filter(({ currency }) => currency !== null)
          .map(({ currency, spend, earnings }) => [currency, spend, earnings]);
      expect(money({ totalsByCurrency })).toEqual(money(counted));
      const asked = reportDimensions.filter((name) => groupBy.includes(name));
      for (const item of items) {
        expect(Object.keys(item).filter((name) => reportDimensions.some((one) => one === name))).toEqual(
          asked,
        );
      }
      const keys = items.map((item) =>
        asked.map((name) => String(item[name] ?? "").padStart(name === "hour" ? 2 : 0, "0")).join("\n"),
      );
      expect(keys).toEqual(keys.toSorted());
    }),
    { numRuns: 25 },
  );
});

const textOf = (row: ReportRow): string => JSON.stringify(Object.entries(row).sort());

type Placed = { place: Partial<ReportRow>; currency: string; event: CountableEvent };

/** Each event that is asked for, in the place that the grouping makes of it. */
const placed = (filter: ReportFilter): Placed[] => {
  const keys = new Map<number, WebsiteKey>(filter.websites.map(({ id, key }) => [id, key]));
  return events.flatMap((event) => {
    if (!keys.has(event.website_id) || (event.test === 1) !== filter.test) return [];
    const zoned = new Date(event.at + (filter.utcOffset ?? 0) * hourMs);
    const offer = event.offer_id === "" ? null : event.offer_id;
    const all = {
      date: zoned.toISOString().slice(0, 10),
      hour: zoned.getUTCHours(),
      websiteKey: keys.get(event.website_id),
      country: event.country,
      region: event.region === "" ? null : `${event.country}-${event.region}`,
      vertical: event.vertical,
      offer,
      brand: offer === null ? null : (brands[Object.keys(terms).indexOf(offer)] ?? null),
      placement: event.placement as ReportRow["placement"],
      device: deviceOf(deviceNumberOf(event.request)),
      surface: event.surface,
    };
    const isAsked =
      all.date >= filter.from &&
      all.date <= filter.to &&
      names.every((name) => {
        const wanted = filter[name] ?? all[name];
        return name === "brand" ? wanted?.toLowerCase() === all.brand?.toLowerCase() : wanted === all[name];
      });
    if (!isAsked) return [];
    const place = Object.fromEntries(filter.groupBy.map((name) => [name, all[name]]));
    const counted = {
      type: event.type,
      isFiltered: event.reason !== null,
      billedMicros: event.billed_micros,
      earnedMicros: event.earned_micros,
    };
    return [{ place, currency: event.currency, event: counted }];
  });
};

type PlainRow = Partial<ReportRow> & Record<FigureName, number> & { currency: string | null };

/** A row for each place, or for each currency in which it was paid and for all else. */
const plainRows = (filter: ReportFilter): PlainRow[] => {
  const places = Map.groupBy(placed(filter), ({ place }) => JSON.stringify(place));
  return [...places.values()].flatMap((here) => {
    const isPaid = ({ event }: Placed) => (event.billedMicros ?? 0) > 0;
    const paid = new Set(here.filter(isPaid).map(({ currency }) => currency));
    const rowOf = (some: readonly Placed[], currency: string | null): PlainRow[] => {
      const [first] = some;
      if (first === undefined) return [];
      const sums = figures.map(({ name, of }) => [name, some.reduce((sum, { event }) => sum + of(event), 0)]);
      return [{ ...first.place, ...(Object.fromEntries(sums) as Record<FigureName, number>), currency }];
    };
    if (paid.size < 2) return rowOf(here, [...paid][0] ?? null);
    return [
      ...[...paid].flatMap((code) =>
        rowOf(
          here.filter(({ currency }) => currency === code),
          code,
        ),
      ),
      ...rowOf(
        here.filter(({ currency }) => !paid.has(currency)),
        null,
      ),
    ];
  });
};
