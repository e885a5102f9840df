import type { ReportDimension } from "@offers/contract/reports";
import { expect, test } from "vitest";
import { type ReportSource, reportSource } from "./report-source.ts";

const ofSome = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: index + 1, key: `ws_${index}` as never }));
const all: ReportDimension[] = ["date", "websiteKey", "country", "vertical"];

const cases: [
  string,
  ReportSource["table"],
  { of: number; whole?: true; country?: string; groupBy: ReportDimension[] },
][] = [
  ["one website by everything", "counter", { of: 1, whole: true, groupBy: all }],
  ["one website by day", "counter_day", { of: 1, whole: true, groupBy: ["date"] }],
  ["one website by day, in one country", "counter", { of: 1, whole: true, country: "DE", groupBy: ["date"] }],
  [
    "all websites by country and vertical",
    "counter_publisher",
    { of: 9, whole: true, groupBy: ["country", "vertical"] },
  ],
  [
    "all websites by day in one country",
    "counter_publisher",
    { of: 9, whole: true, country: "DE", groupBy: ["date"] },
  ],
  [
    "all websites by website and country",
    "counter",
    { of: 9, whole: true, groupBy: ["websiteKey", "country"] },
  ],
  ["all of few websites by day", "counter_day", { of: 9, whole: true, groupBy: ["date"] }],
  ["all of many websites by day", "counter_publisher", { of: 900, whole: true, groupBy: ["date"] }],
  [
    "all of many websites by day and website",
    "counter_day",
    { of: 900, whole: true, groupBy: ["date", "websiteKey"] },
  ],
  ["some of the websites by country", "counter", { of: 9, groupBy: ["country"] }],
];
test.each(cases)("%s is read from %s", (_, table, { of, whole, ...filter }) => {
  expect(reportSource({ ...filter, websites: ofSome(of) }, whole === true).table).toBe(table);
});

test.each<[string, boolean, number, ReportDimension[]]>([
  ["one website by everything", true, 1, all],
  ["one website by all but its own key", true, 1, ["date", "country", "vertical"]],
  ["one website by day and vertical", true, 1, ["date", "vertical"]],
  ["all websites by day, country and vertical", true, 5, ["date", "country", "vertical"]],
  ["one website by country and vertical", false, 1, ["country", "vertical"]],
  ["one website by day and country", false, 1, ["date", "country"]],
  ["all websites by everything", false, 5, all],
])("a table holds %s in the report's order: %s", (_, isInOrder, of, groupBy) => {
  expect(reportSource({ websites: ofSome(of), groupBy }, true).isInOrder).toBe(isInOrder);
});
