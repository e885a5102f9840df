import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { allMetrics } from "./all-metrics.ts";
import { countedRoutes } from "./routes.ts";

const page = readFileSync(new URL("../../docs/metrics.md", import.meta.url), "utf8");

test("the page on metrics has one line for each, in their order, and none for any other", () => {
  const lines = page.split("\n").filter((line) => line.startsWith("| `offers_"));
  expect(lines).toEqual(
    allMetrics.map(
      ({ name, kind, labels, help }) =>
        `| \`${name}\` | ${kind} | ${labels.map((label) => `\`${label}\``).join(", ")} | ${help} |`,
    ),
  );
});

test("names follow Prometheus: a counter ends in _total and nothing else does, and units are base units", () => {
  for (const { name, kind } of allMetrics) {
    expect(name.endsWith("_total"), name).toBe(kind === "counter");
    expect(name, name).not.toMatch(/_(ms|milliseconds|kilobytes|megabytes|percent|days)(_|$)/);
  }
  expect(new Set(allMetrics.map(({ name }) => name)).size).toBe(allMetrics.length);
});

test("no two routes are counted under one name", () => {
  const names = countedRoutes.map(({ group, route }) => `${group} ${route}`);
  expect(new Set(names).size).toBe(names.length);
});
