import { describe, expect, test } from "vitest";
import type { Report, Row } from "./api.ts";
import { toldFigures } from "./report-figures.ts";

const row = (more: Partial<Row>): Row => ({
  ...{ blocked: 0, served: 0, impressions: 0, clicks: 0, billableClicks: 0, filtered: 0, drawn: 0 },
  ...{ spend: 0, earnings: 0, currency: null },
  ...more,
});
const euros = (spend: number | null, earnings: number): Row => row({ currency: "EUR", spend, earnings });

const items = [
  euros(620_000, 434_000),
  euros(620_000, 434_000),
  euros(20_000_000, 14_000_000),
  row({ currency: "JPY", spend: 150_000_000, earnings: 150_000_000 }),
  row({ blocked: 3 }),
];
const totalsByCurrency = [
  euros(21_240_000, 14_868_000),
  row({ currency: "JPY", spend: 150_000_000, earnings: 150_000_000 }),
];
const report = { from: "", to: "", items, totals: row({}), totalsByCurrency } as Report;
const textsOf = (key: string, rows: readonly Row[], of = report) => {
  const figure = toldFigures(of).find((one) => one.key === key);
  return rows.map((one) => figure?.text(one));
};

describe("money of a report", () => {
  test("has all its digits in each row of a currency, and as many decimals as the row that needs the most", () => {
    expect(textsOf("earnings", items)).toEqual(["€0.434", "€0.434", "€14.000", "JP¥150", "–"]);
    expect(textsOf("spend", items)).toEqual(["€0.62", "€0.62", "€20.00", "JP¥150", "–"]);
  });

  test("adds up to the sum that is shown below it", () => {
    const [sum] = textsOf("earnings", totalsByCurrency);
    const shown = textsOf("earnings", items).filter((text) => text?.startsWith("€"));
    const added = shown.reduce((all, text) => all + Number(text?.slice(1)), 0);
    expect(sum).toBe(`€${added.toFixed(3)}`);
  });

  test("is a dash where it is not told, and has no column where nobody is told", () => {
    const hidden = { ...report, items: [euros(null, 7)], totals: { ...row({}), spend: null } };
    expect(toldFigures(hidden).map(({ key }) => key)).not.toContain("spend");
    expect(textsOf("earnings", hidden.items, hidden)).toEqual(["€0.000007"]);
  });

  test("of a sum beyond 2^53 loses nothing", () => {
    const large = row({ currency: "EUR", earnings: 9_007_199_254_740_993n });
    expect(textsOf("earnings", [large], { ...report, items: [large] })).toEqual(["€9,007,199,254.740993"]);
  });
});

test.each([
  // Whoever is told no prices has no such column, so a dash in it is no secret.
  ["spend", /A dash where nothing was\.$/],
  // In a section offers are handed out to visitors who are shown the page.
  ["served", /^Offers that were handed out, once a visit and offer\.$/],
  ["blocked", /whether or not an overlay opened\. One visitor may make many\.$/],
])("what is said of %s is what is counted", (key, meaning) => {
  const figure = toldFigures(report).find((one) => one.key === key);
  expect(figure?.means).toMatch(meaning);
});
