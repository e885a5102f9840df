import { expect, test } from "vitest";
import { figureColumns } from "../../core/figures.ts";
import type { ReportFilter } from "../../core/report-filter.ts";
import { startSums } from "./detail-rows.ts";
import { TooManyRows } from "./too-many-rows.ts";

/** As many as it says, and in it the first and the last of them. */
class Large<Value> extends Map<number, Value> {
  override readonly size = 3_000_000;
}

const filter = {
  ...{ websites: [], from: "2026-11-01", to: "2026-11-30", test: false, eventTypes: [] },
  groupBy: ["date", "offer", "placement"],
} satisfies ReportFilter;
const hour = Date.UTC(2026, 10, 26) / 3_600_000;

test("of however many cells and offers, what a report tells apart stays apart", () => {
  const cells = new Large([
    [1, { number: 0, place: {}, currency: "EUR" }],
    [3_000_000, { number: 1, place: {}, currency: "USD" }],
  ]);
  const offers = new Map(
    Array.from({ length: 20_000 }, (_, number) => [number, { number, place: { offer: `offer_${number}` } }]),
  );
  const sums = startSums(filter, cells, offers);
  const figures = figureColumns.map(() => 1);
  const places = [18_998, 18_999].flatMap((offer) => [1, 2].map((placement) => ({ offer, placement })));
  sums.add(
    hour,
    [1, 3_000_000].flatMap((cell) => places.map((place) => ({ cell, ...place, figures: [...figures] }))),
  );
  const rows = sums.rows();
  expect(new Set(rows.map((row) => `${row.offer} ${row.placement} ${row.currency}`)).size).toBe(8);
  expect(rows.map(({ clicks }) => clicks)).toEqual(Array.from({ length: 8 }, () => 1));
});

test("of more rows than are asked for none is added up", () => {
  const cells = new Map([[1, { number: 0, place: {}, currency: "EUR" }]]);
  const offers = new Map(
    [1, 2, 3].map((number) => [number, { number, place: { offer: `offer_${number}` } }]),
  );
  const sums = startSums({ ...filter, mostRows: 1 }, cells, offers);
  const add = (offer: number) =>
    sums.add(hour, [{ cell: 1, offer, placement: 1, figures: figureColumns.map(() => 1) }]);
  for (const offer of [1, 2, 1]) add(offer);
  expect(sums.rows()).toHaveLength(2);
  expect(() => add(3)).toThrow(TooManyRows);
});
