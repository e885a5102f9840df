import type { AdvertiserId, OfferId } from "@offers/contract/ids";
import type { Selectable } from "kysely";
import type { Offer } from "../../core/catalogue.ts";
import { type OfferMember, type OfferRow, offerColumns } from "../../core/offer-columns.ts";
import type { OfferTable } from "../schema.ts";

type Members = Pick<Offer, OfferMember>;

const members = (Object.keys(offerColumns) as (keyof typeof offerColumns)[]).filter(
  (name): name is OfferMember => name !== "offerId" && name !== "advertiserId",
);

/** The offer that a row holds. Ids and JSON were checked when they were saved; here they get their types back. */
export function offerOf(row: Selectable<OfferTable>): Offer {
  const values: Record<string, unknown> = {};
  for (const name of members) {
    const { column, kind } = offerColumns[name];
    values[name] = fromKept(kind, row[column]);
  }
  return {
    ...(values as Members),
    number: row.number,
    id: row.id as OfferId,
    advertiserId: row.advertiser_id as AdvertiserId,
  };
}

/** The columns of the members that are given; the others are absent. */
export function columnsOfMembers<Given extends Partial<Members>>(given: Given): ColumnsOf<Given> {
  const columns: Record<string, unknown> = {};
  for (const name of members) {
    const { column, kind } = offerColumns[name];
    if (given[name] !== undefined) columns[column] = toKept(kind, given[name]);
  }
  return columns as ColumnsOf<Given>;
}

type ColumnsOf<Given> = Pick<OfferRow, (typeof offerColumns)[OfferMember & keyof Given]["column"]>;
type Kind = (typeof offerColumns)[OfferMember]["kind"];

function fromKept(kind: Kind, kept: string | number | null): unknown {
  switch (kind) {
    case "text":
    case "number":
      return kept;
    case "flag":
      return kept === 1;
    case "list":
    case "locales":
      return JSON.parse(String(kept));
    default:
      return kind satisfies never;
  }
}

function toKept(kind: Kind, value: unknown): unknown {
  switch (kind) {
    case "text":
    case "number":
      return value;
    case "flag":
      return value === true ? 1 : 0;
    case "list":
    case "locales":
      return JSON.stringify(value);
    default:
      return kind satisfies never;
  }
}
