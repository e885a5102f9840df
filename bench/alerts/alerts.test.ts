import { readFileSync } from "node:fs";
import { join } from "node:path";
import { endpoints } from "@offers/contract/endpoints";
import { errorCodes } from "@offers/contract/problem";
import { describe, expect, test } from "vitest";
import { logEvents } from "../../server/core/log-events.ts";
import { anchorsOf } from "../anchors.ts";
import { repositoryRoot } from "../program.ts";
import { readAlerts, readAlertTable } from "./read-alerts.ts";
import { scrapeSeconds } from "./scene.ts";

const read = (file: string): string => readFileSync(join(repositoryRoot, file), "utf8");
const rules = read("operations/alerts.yml");
const alerts = readAlerts(rules);
const page = read("docs/alerts.md");
const lines = readAlertTable(page);
const dashboard: { panels: { title: string; targets?: { expr: string }[] }[] } = JSON.parse(
  read("operations/grafana.json"),
);
/** Every metric that is told, of the page that is compared with the program's own list. */
const metrics = [...read("docs/metrics.md").matchAll(/^\| `(\w+)` \| (\w+) \| ([^|]*) \|/gm)].map(
  ([, name = "", kind = "", labels = ""]) => ({
    name,
    kind,
    labels: [...labels.matchAll(/`(\w+)`/g)].map(([, label = ""]) => label),
  }),
);

/** Words that a label can have, of those labels that have a closed list. */
const words: Readonly<Record<string, readonly string[]>> = {
  code: Object.keys(errorCodes),
  command: ["audit", "backup", "recount"],
  engine: ["postgres", "sqlite"],
  event: Object.keys(logEvents),
  level: ["debug", "info", "warn", "error", "fatal"],
  route: endpoints.map((endpoint) => endpoint.path),
};
/** What Prometheus itself knows of a series. */
const ofPrometheus = ["job", "instance"];

/** What a question asks for that is not told: metrics, labels of theirs, and words that these labels never have. */
const unknownIn = (expr: string): string[] => {
  const unknown: string[] = [];
  const labels = new Set(ofPrometheus);
  for (const [, name = "", , matchers = ""] of expr.matchAll(/\b(offers_\w+)(\{([^}]*)\})?/g)) {
    const metric = metrics.find((one) =>
      one.kind === "histogram" ? /^_(bucket|sum|count)$/.test(name.replace(one.name, "")) : one.name === name,
    );
    if (metric === undefined) unknown.push(name);
    const own = [...(metric?.labels ?? []), ...(metric?.kind === "histogram" ? ["le"] : []), ...ofPrometheus];
    for (const label of own) labels.add(label);
    for (const [, label = "", value = ""] of matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*"([^"]*)"/g)) {
      if (!own.includes(label)) unknown.push(`${name}{${label}}`);
      const list = words[label];
      const missing =
        list === undefined || value.includes("*")
          ? []
          : value.split("|").filter((word) => !list.includes(word));
      unknown.push(...missing.map((word) => `${name}{${label}="${word}"}`));
    }
  }
  for (const [, list = ""] of expr.matchAll(/\b(?:by|on|without|ignoring) \(([^)]*)\)/g)) {
    for (const label of list.split(", ")) if (!labels.has(label)) unknown.push(label);
  }
  return unknown;
};

describe("the alerts", () => {
  test("are all read, and each says what it means, in sentences", () => {
    expect(alerts.length).toBe(rules.split("alert:").length - 1);
    expect(alerts.length).toBeGreaterThan(20);
    expect(metrics.length).toBeGreaterThan(40);
    for (const { name, expr, summary, description } of alerts) {
      expect(name).toMatch(/^Offers[A-Z]\w+$/);
      expect(expr, name).not.toBe("");
      expect(summary, name).toMatch(/\w+ .*\w+/);
      expect(description, name).toMatch(/^[A-Z].{40,}\.$/);
    }
  });

  test("ask for metrics, labels and words that are told", () => {
    for (const { name, expr } of alerts) expect(unknownIn(expr), name).toEqual([]);
  });

  test("are pages that come within ten minutes, or tickets", () => {
    for (const { name, severity, withinSeconds } of lines) {
      expect(["page", "ticket"], name).toContain(severity);
      expect(withinSeconds, name).toBeLessThanOrEqual(600);
    }
  });

  test("have a line each, in their order, with their severity, and the time after which the rule fires at the latest", () => {
    expect(lines.map(({ name, severity }) => `${name} ${severity}`)).toEqual(
      alerts.map(({ name, severity }) => `${name} ${severity}`),
    );
    expect(page).toContain(`scrape_interval: ${scrapeSeconds}s `);
    const evaluationSeconds = Number(/^ {4}interval: (\d+)s$/m.exec(rules)?.[1]);
    for (const [at, { name, expr, forSeconds }] of alerts.entries()) {
      // A rate may need all of its window to come above a threshold; what has happened once is seen at once.
      const windows = [...expr.matchAll(/\brate\([^[]*\[(\d+)m\]/g)].map(
        ([, minutes]) => 60 * Number(minutes),
      );
      const most = Math.max(0, ...windows) + forSeconds + scrapeSeconds + evaluationSeconds;
      expect(lines[at]?.withinSeconds, name).toBeGreaterThanOrEqual(most);
    }
  });

  test("lead to a heading of their own, and there is none for any other", () => {
    const headings = [...page.matchAll(/^### (.*)$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual(alerts.map(({ name }) => name));
    for (const [at, { name, runbook }] of alerts.entries()) {
      expect(runbook, name).toBe(`docs/alerts.md#${lines[at]?.anchor}`);
      expect(lines[at]?.anchor, name).toBe(name.toLowerCase());
      expect(anchorsOf(page), name).toContain(lines[at]?.anchor);
    }
  });
});

test("the dashboard asks for metrics, labels and words that are told", () => {
  for (const { title, targets = [] } of dashboard.panels)
    for (const { expr } of targets) expect(unknownIn(expr), title).toEqual([]);
});
