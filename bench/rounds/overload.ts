import type { LoadResult } from "../load/plan.ts";
import { pollHealth } from "./health.ts";
import type { Figures, RoundOptions } from "./measure.ts";
import { findCapacity, mostConnections, openAt } from "./mixed.ts";
import { startWorld } from "./world.ts";

const closedSeconds = 60;
const openSeconds = 30;
const afterwardsSeconds = 10;
/**
 * A generator that is later than this itself tells of itself: a refusal may take 50 ms. The flood is then made again,
 * so many times in all.
 */
const [latestMs, floodsMost] = [15, 3];

/** More than it can take: what it still gets done, how it refuses the rest, and how soon it is as before. */
export async function overloadRound(
  options: RoundOptions,
  environment: Record<string, string> = {},
): Promise<Figures> {
  const running = await startWorld({ websites: options.websites, offers: 30, environment });
  const { load, service } = running;
  try {
    const capacity = await findCapacity(running, options);
    const normal = await openAt(running, capacity / 2, 15);
    const health = pollHealth(service.url);
    const [crowd] = await load.run({
      url: service.url,
      traffic: "mixed",
      shape: { kind: "timed", clients: options.clients * 4, seconds: closedSeconds },
    });
    const phases = [
      { perSecond: capacity * 1.5, seconds: openSeconds },
      { perSecond: capacity / 2, seconds: afterwardsSeconds },
    ];
    const makeFlood = () =>
      load.run({ url: service.url, traffic: "mixed", shape: { kind: "open", phases, mostConnections } });
    let [flood, afterwards] = await makeFlood();
    const floods = [flood];
    while (flood.latenessMs > latestMs && floods.length < floodsMost) {
      options.say(`the generator itself was ${flood.latenessMs.toFixed(0)} ms late: once more`);
      [flood, afterwards] = await makeFlood();
      floods.push(flood);
    }
    const seen = await health.end();
    const broken = [crowd, ...floods].flatMap(({ wrong }) => Object.entries(wrong));
    options.say(`answers neither good nor 503: ${JSON.stringify(Object.fromEntries(broken))}`);
    const figures: Figures = {
      capacity,
      normalP99: normal.goodMs.p99,
      closedGoodput: crowd.perSecond / capacity,
      closedRefused: crowd.refused,
      closedP99: crowd.goodMs.p99,
      openGoodput: flood.perSecond / capacity,
      openRefused: flood.refused,
      unsent: flood.unsent,
      acceptedP50: flood.goodMs.p50,
      acceptedP99: flood.goodMs.p99,
      acceptedP99Ratio: flood.goodMs.p99 / normal.goodMs.p99,
      ...(flood.refusedMs !== null && { refusedP99: flood.refusedMs.p99 }),
      wrong: broken.reduce((sum, [, times]) => sum + times, 0),
      healthAsked: seen.asked,
      healthMissed: seen.missed,
      healthP99: seen.p99,
      recoverySeconds: recoveryOf(afterwards, normal.goodMs.p99),
      generatorLoad: flood.generatorLoad,
      generatorLateness: flood.latenessMs,
    };
    for (const [name, value] of Object.entries(figures))
      options.say(`${name.padEnd(20)} ${value.toFixed(2)}`);
    return Object.fromEntries(Object.entries(figures).map(([name, value]) => [`overload.${name}`, value]));
  } finally {
    await running.stop();
  }
}

/** Until a second begins in which nothing is refused and nothing slow, in seconds. */
const recoveryOf = (afterwards: LoadResult | undefined, normalP99: number): number => {
  const slices = afterwards?.slices ?? [];
  const isFine = slices.map(({ good, refused, p95 }) => good > 0 && refused === 0 && p95 <= 3 * normalP99);
  const at = isFine.findIndex((_, index) => isFine.slice(index, index + 4).filter(Boolean).length === 4);
  return at < 0 ? afterwardsSeconds : at / 4;
};
