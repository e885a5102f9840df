import { readFileSync } from "node:fs";
import { endpoints, rateLimits } from "@offers/contract/endpoints";
import { errorCodes } from "@offers/contract/problem";
import { expect, it } from "vitest";

const guide = readFileSync(new URL("../../docs/guide.md", import.meta.url), "utf8");
/** The cells of each row of its tables. */
const rowsOf = (text: string): string[][] =>
  text.split("\n").flatMap((line) => (line.startsWith("|") ? [line.split("|")] : []));
const rows = rowsOf(guide);
const [, callers = ""] = /\n## Two groups of callers\n([\s\S]*?)\n## /.exec(guide) ?? [];

it.each(Object.entries(errorCodes))("the guide has the status of %s", (code, { status }) => {
  const row = rows.find((cells) => cells.some((cell) => cell.includes(`\`${code}\``)));
  expect(row?.[1]).toContain(String(status));
});

it.each(Object.entries(rateLimits))("the guide has the figure of the limit %s", (name, limit) => {
  // A figure of the reports may have the same name.
  const told = rows.filter(([, names]) => names?.includes(`\`${name}\``)).map((cells) => cells[2]?.trim());
  expect(told).toContain(String(limit));
});

it.each(endpoints.filter(({ group }) => group !== "open"))(
  "the guide's first table has $method $path of the group $group",
  ({ method, path, group }) => {
    const column = rowsOf(callers).map((cells) => cells[group === "embed" ? 2 : 3] ?? "");
    const whole = path.replace(/:(\w+)/, "{$1}");
    const end = whole.slice(whole.lastIndexOf("/"));
    const before = whole.slice(0, -end.length);
    // Of paths that begin alike the first is told whole, and the others by their ends.
    const isTold = (cell: string): boolean =>
      cell.includes(`\`${method} ${whole}\``) ||
      (cell.includes(`${method} ${before}/`) && cell.includes(`\`${end}\``));
    expect(column.filter(isTold)).toHaveLength(1);
  },
);
