import { advertiserCheck, finalText, publishersCheck, type ToldMonth } from "../core/statement-month.ts";
import type { AdvertiserStatement } from "../store/books/advertiser-statement.ts";
import { billedInAll, type Statement } from "../store/books/statement.ts";
import { aligned, amount, facts, table } from "./table.ts";

type ToldFinality = Pick<ToldMonth, "final" | "finalFrom">;

/** Publishers' statements for reading: one, or each of several with its own sums and those of all. */
export function publishersText(
  head: string,
  statements: readonly Statement[],
  { isOfAll, ...told }: ToldFinality & { isOfAll: boolean },
): string {
  const cells = (of: Omit<Statement["totals"][number], "currency">) => [
    ...[of.billableClicks, of.billedViews].map(String),
    ...[of.spend, of.earnings, of.operatorsPart].map(amount),
  ];
  const titles = [
    ...["PUBLISHER", "WEBSITE", "CURRENCY", "SHARE", "BILLABLE CLICKS", "BILLED VIEWS", "SPEND", "EARNINGS"],
    "OPERATOR'S PART",
  ];
  const sumOf = (sum: Statement["totals"][number]) => ["all", sum.currency, "all", ...cells(sum)];
  const rows = statements.flatMap(({ publisherId, items, totals }) => [
    ...items.flatMap(({ websiteKey, currency, shares }) =>
      shares.map((part) => [
        ...[publisherId, websiteKey, currency, shareText(part.shareBasisPoints)],
        ...cells(part),
      ]),
    ),
    ...totals.map((sum) => [publisherId, ...sumOf(sum)]),
  ]);
  const inAll = billedInAll(statements.flatMap(({ items }) => items)).map((sum) => ["all", ...sumOf(sum)]);
  const shown = isOfAll ? [titles, ...rows, ...inAll] : [titles, ...rows].map((row) => row.slice(1));
  const differing = differencesOf(statements).map((one) => [
    one.websiteKey,
    one.currency,
    one.figure,
    String(one.ledger),
    String(one.counters),
  ]);
  return [
    head,
    rows.length === 0 ? "nothing was billed" : aligned(shown),
    publishersCheck(comparedOf(statements)),
    ...(differing.length > 0
      ? [table(["WEBSITE", "CURRENCY", "FIGURE", "LEDGER", "REPORTS"], differing)]
      : []),
    finalText(told),
  ].join("\n");
}

/** A share for reading; `-` for none that is known. */
const shareText = (basisPoints: number | null): string =>
  basisPoints === null ? "-" : `${(basisPoints / 100).toFixed(2)} %`;

/** What was compared with the reports, of all of them together. */
export function comparedOf(statements: readonly Statement[]) {
  const lines = statements.reduce((sum, one) => sum + one.lines, 0);
  return { lines, differences: differencesOf(statements) };
}

const differencesOf = (statements: readonly Statement[]) =>
  statements.flatMap(({ differences }) => differences);

/** An advertiser's statement for reading. */
export function advertiserText(head: string, read: AdvertiserStatement, told: ToldFinality): string {
  const payments = read.payments.map(({ at, kind, amount: paid, currency, line, note }) => [
    `${new Date(at).toISOString().slice(0, 19)}Z`,
    kind,
    amount(paid),
    currency ?? "-",
    String(line),
    note ?? "-",
  ]);
  const items = read.items.map((item) => [
    item.offerId,
    item.currency,
    ...[item.billableClicks, item.billedViews].map(String),
    amount(item.spend),
    item.brand,
    item.title,
  ]);
  const differing = read.differences.map((one) => [
    one.offerId ?? "-",
    one.figure,
    String(one.ledger),
    String(one.recorded),
  ]);
  return [
    head,
    facts({
      "opening balance": amount(read.opening),
      "paid in": amount(read.totals.paidIn),
      spend: amount(read.totals.spend),
      "closing balance": amount(read.closing),
    }),
    payments.length === 0
      ? "nothing was paid in"
      : table(["AT", "PAYMENT", "AMOUNT", "CURRENCY", "LINE", "NOTE"], payments),
    items.length === 0
      ? "nothing was billed"
      : table(["OFFER", "CURRENCY", "BILLABLE CLICKS", "BILLED VIEWS", "SPEND", "BRAND", "TITLE"], items),
    advertiserCheck(read),
    ...(differing.length > 0 ? [table(["OFFER", "FIGURE", "LEDGER", "RECORDED"], differing)] : []),
    finalText(told),
  ].join("\n");
}
