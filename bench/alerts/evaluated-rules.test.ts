import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { repositoryRoot } from "../program.ts";
import { promtoolProgram } from "../prometheus.ts";

const isThere = spawnSync(promtoolProgram, ["--version"]).status === 0;
if (!isThere) process.stderr.write("promtool is not installed: no rule is evaluated\n");

const scrapeSeconds = 15;
const scrapesOf = (minutes: number): number => (minutes * 60) / scrapeSeconds;

/** A counter that grows by so much a second, for so many minutes, and then by the next. */
const growing = (...parts: readonly (readonly [perSecond: number, minutes: number])[]): string => {
  const values = [0];
  for (const [perSecond, minutes] of parts)
    for (let scrape = 0; scrape < scrapesOf(minutes); scrape += 1)
      values.push((values.at(-1) ?? 0) + perSecond * scrapeSeconds);
  return values.join(" ");
};

/** One value for so many minutes, and then the next. */
const standing = (...parts: readonly (readonly [value: number, minutes: number])[]): string =>
  parts.flatMap(([value, minutes]) => Array(scrapesOf(minutes)).fill(value)).join(" ");

describe.skipIf(!isThere)("the rules, over series of hours", () => {
  const directory = mkdtempSync(join(tmpdir(), "rules-"));
  afterAll(() => rmSync(directory, { recursive: true }));

  /** What promtool has against it that an alert fires in each minute of `firing`, and in none of `silent`. */
  const contradiction = (
    alert: string,
    series: Readonly<Record<string, string>>,
    { firing = [], silent = [] }: { firing?: readonly number[]; silent?: readonly number[] },
  ): string => {
    const file = join(directory, "test.json");
    const at = (minute: number, fires: boolean) => ({
      expr: `count by (alertname) (ALERTS{alertname="${alert}", alertstate="firing"})`,
      eval_time: `${minute}m`,
      exp_samples: fires ? [{ labels: `{alertname="${alert}"}`, value: 1 }] : [],
    });
    writeFileSync(
      file,
      JSON.stringify({
        rule_files: [join(repositoryRoot, "operations/alerts.yml")],
        evaluation_interval: `${scrapeSeconds}s`,
        tests: [
          {
            interval: `${scrapeSeconds}s`,
            input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
            promql_expr_test: [
              ...firing.map((minute) => at(minute, true)),
              ...silent.map((minute) => at(minute, false)),
            ],
          },
        ],
      }),
    );
    const { status, stdout, stderr } = spawnSync(promtoolProgram, ["test", "rules", file], {
      encoding: "utf8",
    });
    return status === 0 ? "" : `${stdout}${stderr}`;
  };

  const decisions = 'offers_decisions_total{job="offers", instance="one"}';
  const everyMinute = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at);

  test("page for a job of offers that is away, and for no other job of the page on alerts", () => {
    const page = readFileSync(join(repositoryRoot, "docs/alerts.md"), "utf8");
    const jobs = [...page.matchAll(/^ *- job_name: (\S+)/gm)].map(([, name = ""]) => name);
    expect(jobs).toEqual(["offers", "probe"]);
    const up = (name: string) => `up{job="${name}", instance="one"}`;
    const well = {
      [up("offers")]: standing([1, 30]),
      'offers_ready{job="offers", instance="one"}': standing([1, 30]),
    };
    for (const alert of ["OffersNoNodeReady", "OffersNodeAway"]) {
      const away = (name: string) => ({ ...well, [up(name)]: standing([0, 30]) });
      expect(contradiction(alert, away("probe"), { silent: everyMinute(1, 30) })).toBe("");
      expect(contradiction(alert, away("offers-eu"), { firing: everyMinute(6, 30) })).toBe("");
    }
  });

  test("miss the visitors who stop coming, until half an hour without them is what is usual", () => {
    const series = { [decisions]: growing([40, 60], [0, 60]) };
    const times = { firing: everyMinute(65, 88), silent: [...everyMinute(1, 61), ...everyMinute(95, 120)] };
    expect(contradiction("OffersVisitorsGone", series, times)).toBe("");
  });

  test("know what is usual after five minutes", () => {
    const series = { [decisions]: growing([40, 5], [0, 10]) };
    expect(contradiction("OffersVisitorsGone", series, { firing: [10] })).toBe("");
  });

  test.each([
    { stays: 10, firing: [] },
    { stays: 25, firing: [] },
    // By then it is what is usual.
    { stays: 40, firing: [106] },
  ])(
    "miss a crowd that goes home again after $stays minutes only if it was there for long",
    ({ stays, firing }) => {
      const series = { [decisions]: growing([3, 60], [300, stays], [3, 80]) };
      const silent = everyMinute(1, firing.length > 0 ? 60 + stays : 140 + stays);
      expect(contradiction("OffersVisitorsGone", series, { firing, silent })).toBe("");
    },
  );

  test.each([
    { of: "visitors", group: "embed", route: "/v1/decision", wakes: true },
    { of: "servers", group: "server", route: "/v1/offers", wakes: true },
    { of: "servers that ask for reports", group: "server", route: "/v1/reports/aggregate.csv", wakes: false },
    { of: "servers that ask why", group: "server", route: "/v1/explain", wakes: false },
    { of: "people who read the documents", group: "files", route: "/docs/*", wakes: false },
    { of: "whoever tries paths", group: "none", route: "unknown", wakes: false },
    { of: "people who are signed in", group: "dashboard", route: "/dash/api/*", wakes: false },
    { of: "partners", group: "partner", route: "/v1/oauth/*", wakes: false },
  ])("wake somebody for what $of are refused: $wakes", ({ group, route, wakes }) => {
    const answered = (labels: string) =>
      `offers_http_requests_total{job="offers", instance="one", ${labels}}`;
    const series = {
      [answered('group="embed", route="/v1/decision", status="200"')]: growing([10, 40]),
      [answered(`group="${group}", route="${route}", status="503"`)]: growing([0, 10], [1, 30]),
      'offers_http_refusals_total{job="offers", instance="one", code="speculative_request"}': growing([
        0, 40,
      ]),
    };
    const after = everyMinute(16, 40);
    const times = wakes ? { firing: after, silent: everyMinute(1, 13) } : { silent: everyMinute(1, 40) };
    expect(contradiction("OffersCallsFail", series, times)).toBe("");
  });

  const crashes =
    'offers_log_events_total{job="offers", instance="one", event="ended_uncleanly", level="error"}';
  const started = 'offers_process_start_time_seconds{job="offers", instance="one"}';

  test("tell each crash, though its process has told it before anybody asked", () => {
    const series = { [crashes]: standing([1, 180]), [started]: standing([0, 60], [3590, 60], [7190, 60]) };
    const times = { firing: [1, 9, 61, 69, 121, 129], silent: [11, 59, 71, 119, 131, 179] };
    expect(contradiction("OffersErrorLogged", series, times)).toBe("");
  });

  test("tell an error for ten minutes, and none of a process that has told none", () => {
    const refused = crashes.replace("ended_uncleanly", "journal_refused");
    const series = {
      [refused]: standing([0, 30], [1, 30]),
      [crashes]: standing([0, 60]),
      [started]: standing([0, 60]),
    };
    const times = { firing: [31, 39], silent: [1, 9, 29, 41, 59] };
    expect(contradiction("OffersErrorLogged", series, times)).toBe("");
  });
});
