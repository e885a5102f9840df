import type { LoadResult, Slice } from "../load/plan.ts";
import { pollHealth } from "./health.ts";
import { type Figures, noteWrong, type RoundOptions } from "./measure.ts";
import { findCapacity, mostConnections, openAt, refusedPerMille } from "./mixed.ts";
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
    // Its refusals have a bar: a moment at which the machine does something else turns a few away.
    noteWrong({ ...normal, refused: 0 }, options.wrong);
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
    const runs = [crowd, flood, afterwards];
    let floods = 1;
    while (flood.latenessMs > latestMs && floods < floodsMost) {
      options.say(`the generator itself was ${flood.latenessMs.toFixed(0)} ms late: once more`);
      [flood, afterwards] = await makeFlood();
      runs.push(flood, afterwards);
      floods += 1;
    }
    const seen = await health.end();
    const loads = runs.flatMap((run) => run ?? []);
    const broken = loads.flatMap(({ wrong }) => Object.entries(wrong));
    const sum = (of: (load: LoadResult) => number): number => loads.reduce((all, load) => all + of(load), 0);
    options.say(`answers neither good nor 503: ${JSON.stringify(Object.fromEntries(broken))}`);
    const figures: Figures = {
      capacity,
      normalP99: normal.goodMs.p99,
      normalRefusedPerMille: refusedPerMille([normal]),
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
      wrong: broken.reduce((all, [, times]) => all + times, 0),
      resentPerMille: (1000 * sum(({ resent }) => resent)) / sum(({ good, refused }) => good + refused),
      healthAsked: seen.asked,
      healthMissed: seen.missed,
      healthP99: seen.p99,
      recoverySeconds: recoveryOf(afterwards?.slices ?? [], normal.goodMs.p99),
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

/** Until a second begins in which everything is answered well, and of each quarter 95 of a hundred in time, in seconds. */
export function recoveryOf(slices: readonly Slice[], normalP99: number): number {
  const isFine = slices.map(
    ({ good, refused, other, p95 }) => good > 0 && refused + other === 0 && p95 <= 3 * normalP99,
  );
  const at = isFine.findIndex((_, index) => isFine.slice(index, index + 4).filter(Boolean).length === 4);
  return at < 0 ? afterwardsSeconds : at / 4;
}
