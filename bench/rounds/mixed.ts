import type { LoadResult } from "../load/plan.ts";
import { pollHealth } from "./health.ts";
import { type Figures, median, noteWrong, type RoundOptions } from "./measure.ts";
import { type RunningWorld, startWorld } from "./world.ts";

/** As many as the service admits, so that it and not the generator decides. */
export const mostConnections = 4000;
const capacitySeconds = 5;
const openSeconds = 15;

/** A site's ordinary day at half of what the service can take. Calls come at random moments, whatever is answered. */
export async function mixedRound(
  name: string,
  options: RoundOptions,
  environment: Record<string, string> = {},
): Promise<Figures> {
  const running = await startWorld({ websites: options.websites, offers: 30, environment });
  try {
    const capacity = await findCapacity(running, options);
    const results: LoadResult[] = [];
    const health = pollHealth(running.service.url);
    for (let turn = 0; turn < 3; turn += 1) {
      const result = await openAt(running, capacity / 2, openSeconds);
      // Those that are turned away have a bar of their own, as in the overload's round.
      noteWrong({ ...result, refused: 0 }, options.wrong);
      results.push(result);
    }
    const { missed, p99: healthP99 } = await health.end();
    if (missed > 0) options.wrong.push(`${missed} × /healthz not answered 200 within a second`);
    const of = (read: (result: LoadResult) => number) => median(results.map(read));
    const figures = {
      capacity,
      perSecond: of(({ perSecond }) => perSecond),
      p50: of(({ goodMs }) => goodMs.p50),
      p99: of(({ goodMs }) => goodMs.p99),
      most: of(({ goodMs }) => goodMs.most),
      refusedPerMille: refusedPerMille(results),
      healthP99,
      generatorLateness: of(({ latenessMs }) => latenessMs),
    };
    options.say(
      `capacity ${capacity.toFixed(0)}/s; at ${figures.perSecond.toFixed(0)}/s p50 ${figures.p50.toFixed(1)} ms, ` +
        `p99 ${figures.p99.toFixed(1)} ms, slowest ${figures.most.toFixed(0)} ms; /healthz p99 ` +
        `${healthP99.toFixed(1)} ms; ${figures.refusedPerMille.toFixed(2)} of a thousand turned away; the generator's own lateness p99 ` +
        `${figures.generatorLateness.toFixed(1)} ms`,
    );
    return Object.fromEntries(Object.entries(figures).map(([figure, value]) => [`${name}.${figure}`, value]));
  } finally {
    await running.stop();
  }
}

/** How many calls of a thousand were turned away. */
export function refusedPerMille(results: readonly Pick<LoadResult, "good" | "refused">[]): number {
  const sum = (of: (result: Pick<LoadResult, "good" | "refused">) => number) =>
    results.reduce((all, result) => all + of(result), 0);
  return (1000 * sum(({ refused }) => refused)) / sum(({ good, refused }) => good + refused);
}

/** Warms the service up and says how many mixed calls a second a closed loop of clients gets out of it. */
export async function findCapacity(running: RunningWorld, options: RoundOptions): Promise<number> {
  const { load, service } = running;
  const warm = { kind: "counted", clients: options.clients, requests: options.warmUp } as const;
  for (const traffic of ["decision", "offers", "mixed"] as const) {
    noteWrong((await load.run({ url: service.url, traffic, shape: warm }))[0], options.wrong);
  }
  const peaks: number[] = [];
  for (let turn = 0; turn < 3; turn += 1) {
    const shape = { kind: "timed", clients: options.clients, seconds: capacitySeconds } as const;
    const [result] = await load.run({ url: service.url, traffic: "mixed", shape });
    noteWrong(result, options.wrong);
    peaks.push(result.perSecond);
  }
  return median(peaks);
}

export async function openAt(
  { load, service }: RunningWorld,
  perSecond: number,
  seconds: number,
): Promise<LoadResult> {
  const shape = { kind: "open", phases: [{ perSecond, seconds }], mostConnections } as const;
  return (await load.run({ url: service.url, traffic: "mixed", shape }))[0];
}
