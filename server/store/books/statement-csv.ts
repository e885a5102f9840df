import { csvLine } from "../../core/csv-cell.ts";
import type { AdvertiserStatement } from "./advertiser-statement.ts";
import type { Statement } from "./statement.ts";

const ofPublisher = ["billableClicks", "billedViews", "spend", "earnings", "operatorsPart"] as const;

/** Publishers' statements as CSV, a line for each website, currency and share, amounts in whole micro-units. */
export function publisherStatementsCsv(month: string, statements: readonly Statement[]): string {
  const columns = ["month", "websiteKey", "currency", ...ofPublisher];
  return [
    csvLine([...columns, "publisherId", "agrees", "shareBasisPoints"]),
    ...statements.flatMap(({ publisherId, items, differences }) =>
      items.flatMap(({ websiteKey, currency, shares }) =>
        shares.map((part) =>
          csvLine([
            ...[month, websiteKey, currency, ...ofPublisher.map((name) => part[name])],
            ...[publisherId, String(differences.length === 0), part.shareBasisPoints ?? ""],
          ]),
        ),
      ),
    ),
  ].join("");
}

/**
 * An advertiser's statement as CSV, amounts in whole micro-units: what was left before, each payment, what each offer was billed
 * (below 0), and what was left, which the amounts above it add up to.
 */
export function advertiserStatementCsv(
  { advertiserId, month }: { advertiserId: string; month: string },
  read: AdvertiserStatement,
): string {
  const agrees = String(read.differences.length === 0);
  const line = (
    { kind, at = "", currency = read.currency }: { kind: string; at?: string; currency?: string | null },
    amount: number | bigint,
    { offer = [], note }: { offer?: readonly (string | number)[]; note?: string | null } = {},
  ) => {
    const [offerId = "", brand = "", title = "", clicks = "", views = ""] = offer;
    return csvLine([
      ...[month, advertiserId, kind, at, offerId, brand, title, currency ?? ""],
      ...[clicks, views, amount, agrees, note ?? ""],
    ]);
  };
  return [
    csvLine([
      ...["month", "advertiserId", "kind", "at", "offerId", "brand", "title", "currency"],
      ...["billableClicks", "billedViews", "amount", "agrees", "note"],
    ]),
    line({ kind: "opening" }, read.opening),
    ...read.payments.map(({ kind, at, currency, amount, note }) =>
      line({ kind, at: new Date(at).toISOString(), currency: currency ?? read.currency }, amount, { note }),
    ),
    ...read.items.map(({ offerId, brand, title, currency, billableClicks, billedViews, spend }) =>
      line({ kind: "spend", currency }, -BigInt(spend), {
        offer: [offerId, brand, title, billableClicks, billedViews],
      }),
    ),
    line({ kind: "closing" }, read.closing),
  ].join("");
}
