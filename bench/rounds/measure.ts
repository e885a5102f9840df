import type { Load } from "../load/load.ts";
import type { LoadResult, Traffic } from "../load/plan.ts";
import { cpuBetween, residentMb, untilIdle } from "../machine/process-figures.ts";
import type { Measured } from "../yardsticks/start-yardstick.ts";

/** What one run of one kind of traffic cost. CPU is microseconds a request, by thread. */
export type Sample = {
  cpu: number;
  main: number;
  writer: number;
  rest: number;
  perSecond: number;
  p50: number;
  p99: number;
  residentMb: number;
  generatorLoad: number;
};

/** What every round is given. */
export type RoundOptions = {
  rounds: number;
  /** Requests of each path in each round. */
  requests: number;
  warmUp: number;
  clients: number;
  websites: number;
  /** Multiplies what the growth rounds grow to; the bars speak of 1. */
  scale: number;
  /** Answers that should not have come, as they are met. */
  wrong: string[];
  say: (line: string) => void;
};

/** What goes on beside a load until it is closed. */
export type Beside = { close: () => Promise<void> };

export type Figures = Record<string, number>;

/**
 * A closed loop, of so many requests, or for so many seconds; everything that the process uses until it is at rest again is on its
 * account. So is what `beside` has it do meanwhile, which begins once the process is at rest, and whose end is waited for.
 */
export async function measure(
  target: Measured,
  load: Load,
  traffic: Traffic,
  {
    requests,
    seconds,
    clients,
    wrong,
    beside,
  }: Pick<RoundOptions, "requests" | "clients" | "wrong"> & { seconds?: number; beside?: () => Beside },
): Promise<Sample> {
  const before = await untilIdle(target.pid);
  const other = beside?.();
  const amount =
    seconds === undefined ? ({ kind: "counted", requests } as const) : ({ kind: "timed", seconds } as const);
  const [result] = await load.run({ url: target.url, traffic, shape: { ...amount, clients } });
  await other?.close();
  const used = cpuBetween(target.pid, before, await untilIdle(target.pid));
  noteWrong(result, wrong);
  const each = (ns: number) => ns / 1000 / (seconds === undefined ? requests : result.good);
  return {
    cpu: each(used.all),
    main: each(used.main),
    writer: each(used.writer),
    rest: each(used.rest),
    perSecond: result.perSecond,
    p50: result.goodMs.p50,
    p99: result.goodMs.p99,
    residentMb: await residentMb(target.pid),
    generatorLoad: result.generatorLoad,
  };
}

/** Of a run in which nothing may be refused. */
export function noteWrong(result: LoadResult, wrong: string[]): void {
  for (const [what, times] of Object.entries(result.wrong)) wrong.push(`${times} × ${what}`);
  if (result.refused > 0) wrong.push(`${result.refused} × 503`);
  if (result.unsent > 0) wrong.push(`${result.unsent} requests unsent`);
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low = Number.NaN, high = Number.NaN] =
    sorted.length % 2 === 0 ? sorted.slice(middle - 1) : [sorted[middle], sorted[middle]];
  return (low + high) / 2;
}

/** Of several samples of the same, figure by figure. */
export function medianSample(samples: readonly Sample[]): Sample {
  const of = (name: keyof Sample) => median(samples.map((sample) => sample[name]));
  return {
    cpu: of("cpu"),
    main: of("main"),
    writer: of("writer"),
    rest: of("rest"),
    perSecond: of("perSecond"),
    p50: of("p50"),
    p99: of("p99"),
    residentMb: of("residentMb"),
    generatorLoad: of("generatorLoad"),
  };
}

export const sampleHead = [
  ..."".padEnd(24),
  "   CPU µs   main writer   rest      /s  p50 ms  p99 ms  RSS MB  gen",
].join("");

export function sampleLine(name: string, sample: Sample): string {
  const { cpu, main, writer, rest, perSecond, p50, p99, residentMb: mb, generatorLoad } = sample;
  const columns = [
    cpu.toFixed(1).padStart(9),
    ...[main, writer, rest].map((value) => value.toFixed(1).padStart(6)),
    perSecond.toFixed(0).padStart(7),
    p50.toFixed(1).padStart(7),
    p99.toFixed(1).padStart(7),
    mb.toFixed(0).padStart(7),
    generatorLoad.toFixed(2).padStart(4),
  ];
  return `${name.padEnd(24)}${columns.join(" ")}`;
}
