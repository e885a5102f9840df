import type { Latencies, LoadResult, Slice } from "./plan.ts";

const sliceMs = 250;

/** What one run sees, kept as it comes and added up at its end. */
export function createRecording() {
  const goodMs: number[] = [];
  const refusedMs: number[] = [];
  const slices: { good: number[]; refused: number; other: number }[] = [];
  const wrong: Record<string, number> = {};
  const late: number[] = [];
  let due = 0;
  let unsent = 0;
  let resent = 0;
  let events = 0;
  const cpu = process.cpuUsage();
  const from = performance.now();
  let last = from;

  const sliceOf = (ms: number) => {
    const now = performance.now();
    const index = Math.max(0, Math.floor((now - ms - from) / sliceMs));
    while (slices.length <= index) slices.push({ good: [], refused: 0, other: 0 });
    return slices[index];
  };
  const answeredIn = (ms: number) => {
    last = performance.now();
    return sliceOf(ms);
  };
  const unanswered = (): number => {
    const told = Object.values(wrong).reduce((sum, count) => sum + count, 0);
    return due - goodMs.length - refusedMs.length - told - unsent;
  };
  return {
    due: (): void => {
      due += 1;
    },
    good: (ms: number, stored: number): void => {
      goodMs.push(ms);
      answeredIn(ms)?.good.push(ms);
      events += stored;
    },
    refused: (ms: number): void => {
      refusedMs.push(ms);
      const slice = answeredIn(ms);
      if (slice !== undefined) slice.refused += 1;
    },
    wrong: (what: string, ms: number): void => {
      wrong[what] = (wrong[what] ?? 0) + 1;
      const slice = sliceOf(ms);
      if (slice !== undefined) slice.other += 1;
    },
    unsent: (ms: number): void => {
      unsent += 1;
      const slice = sliceOf(ms);
      if (slice !== undefined) slice.other += 1;
    },
    resent: (): void => {
      resent += 1;
    },
    late: (ms: number): void => {
      late.push(ms);
    },
    result: (): LoadResult => {
      const seconds = Math.max(1, last - from) / 1000;
      const { user, system } = process.cpuUsage(cpu);
      return {
        seconds,
        perSecond: goodMs.length / seconds,
        good: goodMs.length,
        refused: refusedMs.length,
        wrong: unanswered() > 0 ? { ...wrong, "no answer": unanswered() } : wrong,
        goodMs: latenciesOf(goodMs),
        refusedMs: refusedMs.length > 0 ? latenciesOf(refusedMs) : null,
        slices: slices.map(
          ({ good, refused, other }): Slice => ({
            ...{ good: good.length, refused, other },
            p95: percentile(good, 95),
          }),
        ),
        unsent,
        resent,
        latenessMs: percentile(late, 99),
        generatorLoad: (user + system) / 1e6 / seconds,
        events,
      };
    },
  };
}

export type Recording = ReturnType<typeof createRecording>;

/** The value that `percent` of a hundred do not exceed; 0 of nothing. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? 0;
}

const latenciesOf = (values: readonly number[]): Latencies => ({
  p50: percentile(values, 50),
  p99: percentile(values, 99),
  most: percentile(values, 100),
});
