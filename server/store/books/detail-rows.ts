import { type Kysely, type Selectable, sql } from "kysely";
import { brandKey } from "../../core/brand-key.ts";
import { addSums } from "../../core/counter-fold.ts";
import { type DetailLine, placementsMost, unpackLines } from "../../core/detail-lines.ts";
import { deviceOf } from "../../core/device-class.ts";
import type { Whole } from "../../core/exact-sum.ts";
import { byColumn } from "../../core/figures.ts";
import { placementOf } from "../../core/handed-offers.ts";
import type { InCurrency } from "../../core/report-currencies.ts";
import type { ReportFilter } from "../../core/report-filter.ts";
import { dayNumber, dayOfHour, hoursInDay } from "../../core/utc-day.ts";
import type { CellTable, Schema } from "../schema.ts";
import { askedColumns, inOrderOf, type Place } from "./report-dimensions.ts";
import { linesMost, TooManyRows } from "./too-many-rows.ts";
import { readWaitingLines } from "./waiting-sums.ts";

/** A row of a report, of one currency of a price, or of `""` for what has none. */
type DetailRow = InCurrency & Place & { currency: string };

/**
 * Adds up the lines of the hours that a report is about, with those that wait: rows in the order of the report, one for each
 * currency of a place.
 */
export async function readDetailRows(db: Kysely<Schema>, filter: ReportFilter): Promise<DetailRow[]> {
  const { utcOffset = 0 } = filter;
  const from = dayNumber(Date.parse(filter.from)) * hoursInDay - utcOffset;
  const to = (dayNumber(Date.parse(filter.to)) + 1) * hoursInDay - utcOffset;
  const sums = startSums(filter, await readCells(db, filter), await readOffers(db, filter));
  const websites = sql.join(filter.websites.map(({ id }) => sql.lit(id)));
  const [settled, waiting] = [
    await sql<Hour>`select hour, lines from detail
      where website_id in (${websites}) and hour >= ${from} and hour < ${to}`.execute(db),
    await readWaitingLines(db, { from, to, websites: filter.websites }),
  ];
  for (const { hour, lines } of [...settled.rows, ...waiting]) {
    sums.add(hour + utcOffset, unpackLines(lines));
  }
  return sums.rows();
}

type Hour = { hour: number; lines: Uint8Array };

/** What a line is told apart by, as far as its cell or its offer says, and a number for each combination. */
type Part = { number: number; place: Place };

/** Of each cell that the report is about, by its number. */
const readCells = async (
  db: Kysely<Schema>,
  filter: ReportFilter,
): Promise<ReadonlyMap<number, Part & { currency: string }>> => {
  const { country, region, vertical, surface, device, test } = filter;
  const { rows } = await sql<Selectable<CellTable>>`select * from cell
    where website_id in (${sql.join(filter.websites.map(({ id }) => sql.lit(id)))}) and test = ${test ? 1 : 0}`.execute(
    db,
  );
  const numbered = startParts();
  const cells = new Map<number, Part & { currency: string }>();
  for (const cell of rows) {
    const place = {
      website_id: cell.website_id,
      country: cell.country,
      region: cell.region === "" ? "" : `${cell.country}-${cell.region}`,
      vertical: cell.vertical,
      device: deviceOf(cell.device) ?? "",
    };
    const isAsked =
      (country ?? place.country) === place.country &&
      (region ?? place.region) === place.region &&
      (vertical ?? place.vertical) === place.vertical &&
      (surface ?? cell.surface) === cell.surface &&
      (device ?? place.device) === place.device;
    if (!isAsked) continue;
    const { currency } = cell;
    const { number, place: own } = numbered(onlyAsked(place, filter), currency);
    cells.set(cell.id, { number, place: own, currency });
  }
  return cells;
};

/** Of each offer that the report is about, by its number; 0 is what has none. */
const readOffers = async (db: Kysely<Schema>, filter: ReportFilter): Promise<ReadonlyMap<number, Part>> => {
  const rows = await db.selectFrom("offer").select(["number", "id", "brand"]).execute();
  const numbered = startParts();
  const offers = new Map<number, Part>();
  for (const { number, id, brand } of [{ number: 0, id: "", brand: "" }, ...rows]) {
    const isAsked =
      (filter.offer ?? id) === id &&
      (filter.brand === undefined || (number > 0 && brandKey(filter.brand) === brandKey(brand)));
    if (isAsked) offers.set(number, numbered(onlyAsked({ offer: id, brand }, filter)));
  }
  return offers;
};

const onlyAsked = (place: Place, filter: ReportFilter): Place =>
  Object.fromEntries(
    askedColumns(filter).flatMap((column) => (column in place ? [[column, place[column]]] : [])),
  );

/** Numbers places from 0, equal ones alike, and no more of them than there are rows to be told apart. */
const startParts = () => {
  const parts = new Map<string, Part>();
  return (place: Place, currency = ""): Part => {
    const key = [...Object.values(place), currency].join("\n");
    const known = parts.get(key) ?? { number: parts.size, place };
    parts.set(key, known);
    return known;
  };
};

/** How many different ones there are. */
const partsOf = (parts: ReadonlyMap<number, Part>): number => {
  let most = 0;
  for (const { number } of parts.values()) most = Math.max(most, number + 1);
  return most;
};

/** Adds up lines by what a report tells apart. */
export function startSums(
  filter: ReportFilter,
  cells: ReadonlyMap<number, Part & { currency: string }>,
  offers: ReadonlyMap<number, Part>,
) {
  const columns = askedColumns(filter);
  const [hasDay, hasHour, hasPlacement] = (["day", "hour", "placement"] as const).map((column) =>
    columns.includes(column),
  );
  const { mostRows = Infinity } = filter;
  const firstDay = dayNumber(Date.parse(filter.from));
  const [cellsMost, offersMost] = [partsOf(cells), partsOf(offers)];
  const sums = new Map<number, { place: Place; currency: string; figures: Whole[] }>();
  /** `hour`: in the zone of the report, since the epoch. */
  const add = (hour: number, lines: Iterable<DetailLine>): void => {
    const day = dayOfHour(hour);
    const time = { ...(hasDay && { day }), ...(hasHour && { hour: hour - day * hoursInDay }) };
    const timeKey = (hasDay ? day - firstDay : 0) * hoursInDay + (time.hour ?? 0);
    for (const { cell, offer, placement, figures } of lines) {
      const ofCell = cells.get(cell);
      const ofOffer = offers.get(offer);
      if (ofCell === undefined || ofOffer === undefined) continue;
      if (filter.placement !== undefined && placementOf(placement) !== filter.placement) continue;
      // Exact: hours of one report, and parts that it tells apart, are far fewer than the digits of a number have room for.
      const key =
        ((timeKey * cellsMost + ofCell.number) * offersMost + ofOffer.number) * placementsMost +
        (hasPlacement ? placement : 0);
      const sum = sums.get(key);
      if (sum === undefined) {
        if (sums.size >= linesMost(mostRows)) throw new TooManyRows();
        const place = {
          ...{ ...time, ...ofCell.place, ...ofOffer.place },
          ...(hasPlacement && { placement: placementOf(placement) ?? "" }),
        };
        sums.set(key, { place, currency: ofCell.currency, figures });
      } else {
        addSums(sum.figures, figures);
      }
    }
  };
  const rows = (): DetailRow[] =>
    [...sums.values()]
      .map(({ place, currency, figures }) => ({ ...place, ...byColumn(figures), currency }))
      .sort(inOrderOf(columns));
  return { add, rows };
}
