import { setInterval } from "node:timers/promises";
import { metricsUrl } from "../own-metrics.ts";
import type { Service } from "../service.ts";
import { type Figures, measure, type RoundOptions } from "./measure.ts";
import { type RunningWorld, startWorld } from "./world.ts";

const pairs = 20;
const scrapeEveryMs = 5_000;

/**
 * What metrics and the log cost a decision: one service that tells nothing beside one with metrics that are scraped and
 * the log at its defaults, measured in turn.
 */
export async function observedRound(options: RoundOptions): Promise<Figures> {
  const shape = { websites: Math.min(options.websites, 400), offers: 30 };
  const running: RunningWorld[] = [];
  try {
    const silent = await startWorld({ ...shape, environment: { LOG_LEVEL: "silent" } });
    running.push(silent);
    const told = { LOG_LEVEL: "info", METRICS_PORT: "0" };
    const observed = await startWorld({ ...shape, environment: told });
    running.push(observed);
    const scraper = scrapeOften(observed.service);
    const amount = { ...options, requests: Math.min(options.requests, 12_000) };
    const cpuOf = async ({ service, load }: RunningWorld) =>
      (await measure(service, load, "decision", amount)).cpu;
    for (const world of running) {
      await measure(world.service, world.load, "decision", { ...options, requests: options.warmUp });
    }
    const ratios: number[] = [];
    for (let pair = 0; pair < pairs; pair += 1) {
      // Which one comes first changes: the machine is not as fast at each moment.
      const [first, second] = pair % 2 === 0 ? [silent, observed] : [observed, silent];
      const [one, other] = [await cpuOf(first), await cpuOf(second)];
      ratios.push(pair % 2 === 0 ? other / one : one / other);
    }
    const scrapes = await scraper.stop();
    const mean = ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length;
    const deviation = Math.sqrt(
      ratios.reduce((sum, ratio) => sum + (ratio - mean) ** 2, 0) / (ratios.length - 1),
    );
    const half = (1.96 * deviation) / Math.sqrt(ratios.length);
    options.say(
      `${scrapes} scrapes; a decision with metrics and the log costs ${mean.toFixed(3)} of one without ` +
        `(95 %: ${(mean - half).toFixed(3)} to ${(mean + half).toFixed(3)}, ${pairs} pairs)`,
    );
    return { "observed.cpuRatio": mean, "observed.cpuRatioUpper": mean + half };
  } finally {
    for (const world of running) await world.stop();
  }
}

/** Reads the metrics as Prometheus would; resolves with how often, or with the first thing that went wrong. */
const scrapeOften = (service: Service): { stop: () => Promise<number> } => {
  const url = metricsUrl(service);
  const stopped = new AbortController();
  let scrapes = 0;
  const scrape = async (): Promise<void> => {
    const answer = await fetch(url);
    if (!(await answer.text()).includes("offers_ready 1")) throw new Error(`no metrics: ${answer.status}`);
    scrapes += 1;
  };
  const work = (async () => {
    await scrape();
    for await (const _ of setInterval(scrapeEveryMs, undefined, { signal: stopped.signal })) await scrape();
  })().catch((error: Error) => {
    if (error.name !== "AbortError") throw error;
  });
  // Heard by `stop`, and by nobody before it.
  work.catch(() => undefined);
  return {
    stop: async () => {
      stopped.abort();
      await work;
      return scrapes;
    },
  };
};
