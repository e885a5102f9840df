import { spelledTag } from "@offers/contract/language-tag";
import { type OfferText, offerTexts } from "@offers/contract/words";
import type { Offer } from "./catalogue.ts";
import { type OfferColumn, offerColumnNames, offerColumnOf } from "./offer-columns.ts";

/** A column of a CSV file of offers: a member, or a text in one locale, whose tag is in the spelling that is kept. */
export type CsvColumn =
  | { kind: "member"; member: Exclude<OfferColumn, "locales"> }
  | { kind: "text"; text: OfferText; tag: string };

type FileOffer = Omit<Offer, "number">;

/** Every member, and behind them each text that any of the offers has in some locale: those of a locale side by side. */
export function csvColumnsFor(offers: readonly FileOffer[]): CsvColumn[] {
  const named = new Set(
    offers.flatMap(({ locales }) =>
      Object.entries(locales).flatMap(([tag, texts]) => Object.keys(texts).map((text) => `${tag}:${text}`)),
    ),
  );
  const tags = [...new Set(offers.flatMap(({ locales }) => Object.keys(locales)))].sort();
  return [
    ...offerColumnNames.flatMap((member) =>
      member === "locales" ? [] : [{ kind: "member", member } as const],
    ),
    ...tags.flatMap((tag) =>
      offerTexts
        .filter((text) => named.has(`${tag}:${text}`))
        .map((text) => ({ kind: "text", text, tag }) as const),
    ),
  ];
}

/** How a header names a column: `payoutMicros`, or `title:pt-BR`. */
export function csvColumnName(column: CsvColumn): string {
  return column.kind === "member" ? column.member : `${column.text}:${column.tag}`;
}

/** The column that a header cell names; undefined: none. */
export function csvColumnOf(header: string): CsvColumn | undefined {
  const colonAt = header.indexOf(":");
  const member = offerColumnOf(colonAt === -1 ? header : header.slice(0, colonAt));
  if (colonAt === -1) {
    return member === undefined || member === "locales" ? undefined : { kind: "member", member };
  }
  const text = offerTexts.find((one) => one === member);
  const tag = spelledTag(header.slice(colonAt + 1).trim());
  return text === undefined || tag === null ? undefined : { kind: "text", text, tag };
}

/** What an offer has in a column; `""`: nothing. */
export function csvValueOf(offer: FileOffer, column: CsvColumn): string | number {
  if (column.kind === "text") return offer.locales[column.tag]?.[column.text] ?? "";
  const value = column.member === "offerId" ? offer.id : offer[column.member];
  if (value === null) return "";
  return typeof value === "number" || typeof value === "string" ? value : String(value);
}
