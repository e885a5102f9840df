import type { AdvertiserStatement } from "../store/books/advertiser-statement.ts";
import type { Statement } from "../store/books/statement.ts";
import { amount, facts, table } from "./table.ts";

/** Whether a statement agrees with what is kept beside the ledger, as a line. */
export function checkText(
  { lines, differences }: Pick<Statement, "lines"> & { differences: object[] },
  beside: string,
): string {
  return differences.length === 0
    ? `adds up to the ledger: ${lines} lines`
    : `figures on which the ledger and ${beside} differ: ${differences.length} (ledger lines: ${lines})`;
}

export const besidePublishers = "the reports";
export const besideAdvertisers = "the balance or the budgets";

/** `finalFrom` is a moment, as RFC 3339 has it. */
export type Finality = { final: boolean; finalFrom: string };

/** Whether a month may still grow, as a line. */
export function finalText({ final, finalFrom }: Finality): string {
  const moment = `${finalFrom.slice(0, 16)}Z`;
  return final
    ? "final: nothing is billed in this month any more"
    : `not final: visits of its last day may be billed until ${moment}`;
}

/** A publisher's statement for reading. */
export function publisherText(head: string, read: Statement, told: Finality): string {
  const cells = (of: Statement["totals"][number]) => [
    of.currency,
    ...[of.billableClicks, of.billedViews].map(String),
    ...[of.spend, of.earnings, of.operatorsPart].map(amount),
  ];
  const titles = [
    ...["WEBSITE", "CURRENCY", "BILLABLE CLICKS", "BILLED VIEWS", "SPEND", "EARNINGS"],
    "OPERATOR'S PART",
  ];
  const rows = [
    ...read.items.map((item) => [item.websiteKey, ...cells(item)]),
    ...read.totals.map((sum) => ["all", ...cells(sum)]),
  ];
  const differing = read.differences.map((one) => [
    one.websiteKey,
    one.currency,
    one.figure,
    String(one.ledger),
    String(one.counters),
  ]);
  return [
    head,
    rows.length === 0 ? "nothing was billed" : table(titles, rows),
    checkText(read, besidePublishers),
    ...(differing.length > 0
      ? [table(["WEBSITE", "CURRENCY", "FIGURE", "LEDGER", "REPORTS"], differing)]
      : []),
    finalText(told),
  ].join("\n");
}

/** An advertiser's statement for reading. */
export function advertiserText(head: string, read: AdvertiserStatement, told: Finality): string {
  const payments = read.payments.map(({ at, kind, amount: paid, currency, line }) => [
    `${new Date(at).toISOString().slice(0, 19)}Z`,
    kind,
    amount(paid),
    currency ?? "-",
    String(line),
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
      : table(["AT", "PAYMENT", "AMOUNT", "CURRENCY", "LINE"], payments),
    items.length === 0
      ? "nothing was billed"
      : table(["OFFER", "CURRENCY", "BILLABLE CLICKS", "BILLED VIEWS", "SPEND", "BRAND", "TITLE"], items),
    checkText(read, besideAdvertisers),
    ...(differing.length > 0 ? [table(["OFFER", "FIGURE", "LEDGER", "RECORDED"], differing)] : []),
    finalText(told),
  ].join("\n");
}
