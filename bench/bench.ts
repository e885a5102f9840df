import { writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { judgeFigures } from "./bars.ts";
import { type Check, equal, printChecks } from "./checks.ts";
import { compileSlowFsync, type SlowFsync } from "./machine/slow-fsync.ts";
import { dashboardsRound } from "./rounds/dashboards.ts";
import { daysRound, eventsRound } from "./rounds/events.ts";
import { fsyncHeldRound } from "./rounds/fsync-held.ts";
import { memoryRound, offersRound, websitesRound } from "./rounds/growth.ts";
import type { Figures, RoundOptions } from "./rounds/measure.ts";
import { mixedRound } from "./rounds/mixed.ts";
import { observedRound } from "./rounds/observed.ts";
import { overloadRound } from "./rounds/overload.ts";
import { pathsRound, slowDiskRound } from "./rounds/paths.ts";
import { reportsRound } from "./rounds/reports.ts";
import { simulatorRound } from "./rounds/simulator.ts";

/** A round that needs the slow disk is skipped, with a line, where no such thing can be made. */
type Round = { isLong?: true; run: (options: RoundOptions) => Promise<Figures> } | SlowRound;
type SlowRound = {
  isLong?: true;
  runSlow: (options: RoundOptions, slowFsync: SlowFsync) => Promise<Figures>;
};

const slowDiskMs = 2;

/** In the order in which they run. A long one runs when it is named, or with `--all`. */
const rounds: Record<string, Round> = {
  paths: { run: pathsRound },
  "slow-disk": { runSlow: (options, slow) => slowDiskRound(options, slow.environment(slowDiskMs)) },
  mixed: { run: (options) => mixedRound("mixed", options) },
  "mixed-slow-disk": {
    runSlow: (options, slow) => mixedRound("mixed-slow-disk", options, slow.environment(slowDiskMs)),
  },
  overload: { run: (options) => overloadRound(options) },
  "fsync-held": { runSlow: fsyncHeldRound },
  "growth-websites": { run: websitesRound },
  "growth-offers": { run: offersRound },
  "growth-reports": { run: reportsRound },
  "growth-memory": { run: memoryRound },
  dashboards: { run: dashboardsRound },
  observed: { run: observedRound },
  "growth-events": { isLong: true, run: eventsRound },
  "growth-days": { isLong: true, run: daysRound },
  simulator: { isLong: true, run: simulatorRound },
};

const usage = `npm run bench -- [--only NAME,NAME…] [--all] [--json FILE]
  [--rounds 5] [--requests 20000] [--warm-up 20000] [--clients 64] [--websites 2000] [--scale 1]
Rounds: ${Object.entries(rounds)
  .map(([name, { isLong }]) => (isLong ? `${name} (long)` : name))
  .join(", ")}. A name stands for every round that begins with it.`;

const main = async (): Promise<0 | 1> => {
  const { values } = parseArgs({
    options: {
      only: { type: "string" },
      all: { type: "boolean", default: false },
      json: { type: "string" },
      rounds: { type: "string", default: "5" },
      requests: { type: "string", default: "20000" },
      "warm-up": { type: "string", default: "20000" },
      clients: { type: "string", default: "64" },
      websites: { type: "string", default: "2000" },
      scale: { type: "string", default: "1" },
    },
  });
  const chosen = chooseRounds(values.only, values.all);
  const options: RoundOptions = {
    rounds: wholeNumber("--rounds", values.rounds),
    requests: wholeNumber("--requests", values.requests),
    warmUp: wholeNumber("--warm-up", values["warm-up"]),
    clients: wholeNumber("--clients", values.clients),
    websites: wholeNumber("--websites", values.websites),
    scale: share("--scale", values.scale),
    wrong: [],
    say: (line) => console.log(line),
  };
  const figures = await runAll(chosen, options);
  const checks = [
    equal("answers that should not be", options.wrong.slice(0, 3).join("; "), ""),
    ...judgeFigures(figures),
  ];
  if (values.json !== undefined) await writeFile(values.json, `${reportText(options, figures, checks)}\n`);
  return printChecks("\nBars", checks);
};

const runAll = async (chosen: readonly string[], options: RoundOptions): Promise<Figures> => {
  const slowFsync = await compileSlowFsync();
  const figures: Figures = {};
  try {
    for (const name of chosen) {
      const round = rounds[name];
      if (round === undefined) continue;
      const from = performance.now();
      options.say(`\n== ${name}`);
      const wrong: string[] = [];
      const given = { ...options, wrong };
      if ("run" in round) Object.assign(figures, await round.run(given));
      else if (slowFsync !== null) Object.assign(figures, await round.runSlow(given, slowFsync));
      else options.say("skipped: a slow disk needs Linux and a C compiler (cc)");
      options.wrong.push(...wrong.map((what) => `${name}: ${what}`));
      options.say(`(${Math.round((performance.now() - from) / 1000)} s)`);
    }
  } finally {
    await slowFsync?.remove();
  }
  return figures;
};

const chooseRounds = (only: string | undefined, all: boolean): string[] => {
  const names = Object.keys(rounds);
  if (only === undefined) return names.filter((name) => all || !rounds[name]?.isLong);
  const wanted = only.split(",");
  const unknown = wanted.filter((word) => !names.some((name) => name.startsWith(word)));
  if (unknown.length > 0) throw new Error(`--only: no round begins with ${unknown.join(", ")}\n${usage}`);
  return names.filter((name) => wanted.some((word) => name.startsWith(word)));
};

const wholeNumber = (name: string, text: string): number => {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`${name}: must be a whole number above 0\n${usage}`);
  return Number(text);
};

const share = (name: string, text: string): number => {
  const value = Number(text);
  if (!(value > 0 && value <= 1)) throw new Error(`${name}: must be above 0 and at most 1\n${usage}`);
  return value;
};

const reportText = (options: RoundOptions, figures: Figures, checks: readonly Check[]): string => {
  const { say: _, ...asked } = options;
  const machine = { node: process.version, cpus: cpus().length, cpu: cpus()[0]?.model };
  return JSON.stringify({ at: new Date().toISOString(), machine, options: asked, figures, checks }, null, 2);
};

process.exitCode = await main();
