/** How a cell of each column is read. A list is separated by commas, semicolons or spaces. */
export type CellKind = "text" | "number" | "flag" | "list";

/** The columns of an offer file, in the order in which they are written. */
export const offerColumns = {
  offerId: "text",
  status: "text",
  advertiserId: "text",
  brand: "text",
  vertical: "text",
  title: "text",
  description: "text",
  ctaText: "text",
  imageUrl: "text",
  landingUrl: "text",
  disclosure: "text",
  terms: "text",
  geoCoverage: "list",
  payoutModel: "text",
  payoutMicros: "number",
  currency: "text",
  premium: "flag",
  dailyBudgetMicros: "number",
  totalBudgetMicros: "number",
  dailyClickCap: "number",
  totalClickCap: "number",
} as const satisfies Record<string, CellKind>;

export type OfferColumn = keyof typeof offerColumns;

export const offerColumnNames = Object.keys(offerColumns) as OfferColumn[];

// The command line's own words for the same things.
const otherNames: readonly [string, OfferColumn][] = [
  ["offer", "offerId"],
  ["advertiser", "advertiserId"],
  ["geo", "geoCoverage"],
];

const byPlainName = new Map<string, OfferColumn>([
  ...offerColumnNames.map((name) => [name.toLowerCase(), name] as const),
  ...otherNames,
]);

/** The column that a header cell names: `payoutMicros`, `payout_micros` and `Payout Micros` are one. Undefined: none. */
export function offerColumnOf(header: string): OfferColumn | undefined {
  return byPlainName.get(header.replace(/[\s_-]/g, "").toLowerCase());
}
