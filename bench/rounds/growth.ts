import { startLoad } from "../load/load.ts";
import { restedMb } from "../machine/process-figures.ts";
import {
  type Figures,
  measure,
  median,
  medianSample,
  type RoundOptions,
  type Sample,
  sampleHead,
  sampleLine,
} from "./measure.ts";
import { type RunningWorld, startWorld } from "./world.ts";

/**
 * A decision's cost with ever more websites, visited alike: one alone, and all of them. One alone in all its rounds first: visits to
 * all leave counters behind that whatever comes next would add up.
 */
export async function websitesRound(options: RoundOptions): Promise<Figures> {
  const sizes = [1, 1000, 50_000];
  const worlds = await startEach(sizes, (size) => ({ websites: scaled(size, options), offers: 30 }));
  const alone = worlds.map(({ world }) => startLoad({ ...world, websites: world.websites.slice(0, 1) }, 2));
  try {
    const all = worlds.map(() => [] as Sample[]);
    const one = worlds.map(() => [] as Sample[]);
    await inTurn(options, worlds, async ({ service, load }, index, amount, isCounted) => {
      const sample = await measure(service, alone[index] ?? load, "decision", amount);
      if (isCounted) one[index]?.push(sample);
    });
    await inTurn(options, worlds, async ({ service, load }, index, amount, isCounted) => {
      const sample = await measure(service, load, "decision", amount);
      if (isCounted) all[index]?.push(sample);
    });
    options.say(sampleHead);
    const figures: Figures = {};
    for (const [index, size] of sizes.entries()) {
      const sample = medianSample(all[index] ?? []);
      const single = medianSample(one[index] ?? []);
      options.say(sampleLine(`${size} websites`, sample));
      options.say(sampleLine("  visits to one of them", single));
      figures[`websites.${size}.cpu`] = sample.cpu;
      figures[`websites.${size}.oneWebsiteCpu`] = single.cpu;
      figures[`websites.${size}.busyMb`] = sample.residentMb;
    }
    const rested = await Promise.all(worlds.map(({ service }) => restedMb(service.pid)));
    for (const [index, mb] of rested.entries()) {
      options.say(`${sizes[index]} websites, at rest after it: ${mb.toFixed(0)} MB`);
      figures[`websites.${sizes[index]}.residentMb`] = mb;
    }
    return {
      ...figures,
      "websites.cpuRatio": ratioOf(all[2], all[0]),
      "websites.oneWebsiteCpuRatio": ratioOf(one[2], one[0]),
    };
  } finally {
    await Promise.all([...worlds.map(({ stop }) => stop()), ...alone.map(({ stop }) => stop())]);
  }
}

/** First answers of offers, with ever more that are eligible. Fifty websites: each place is met in the warm-up. */
export async function offersRound(options: RoundOptions): Promise<Figures> {
  const sizes = [30, 3000];
  const worlds = await startEach(sizes, (size) => ({
    websites: 50,
    offers: size === 30 ? 30 : scaled(size, options),
  }));
  try {
    const samples = worlds.map(() => [] as Sample[]);
    await inTurn(options, worlds, async ({ service, load }, index, amount, isCounted) => {
      await measure(service, load, "decision", amount);
      const sample = await measure(service, load, "offers", amount);
      if (isCounted) samples[index]?.push(sample);
    });
    options.say(sampleHead);
    const figures: Figures = {};
    for (const [index, size] of sizes.entries()) {
      const sample = medianSample(samples[index] ?? []);
      options.say(sampleLine(`${size} eligible offers`, sample));
      figures[`offers.${size}.cpu`] = sample.cpu;
    }
    return { ...figures, "offers.cpuRatio": ratioOf(samples[1], samples[0]) };
  } finally {
    await Promise.all(worlds.map(({ stop }) => stop()));
  }
}

/** Resident memory at rest: of a service that has just started, and after a million visitors, each at another address. */
export async function memoryRound(options: RoundOptions): Promise<Figures> {
  const running = await startWorld({ websites: 1, offers: 30 });
  const { service, load } = running;
  try {
    await service.kill();
    await service.start();
    const atRestMb = await restedMb(service.pid);
    const chunk = scaled(50_000, options);
    let mostMb = atRestMb;
    for (let turn = 0; turn < 20; turn += 1) {
      const { residentMb: mb } = await measure(service, load, "decision", { ...options, requests: chunk });
      mostMb = Math.max(mostMb, mb);
    }
    const afterAddressesMb = await restedMb(service.pid);
    options.say(
      `at rest ${atRestMb.toFixed(0)} MB, and ${afterAddressesMb.toFixed(0)} MB after ${chunk * 20} decisions ` +
        `from as many addresses; right after some of them ${mostMb.toFixed(0)} MB at the most`,
    );
    return {
      "memory.atRestMb": atRestMb,
      "memory.afterAddressesMb": afterAddressesMb,
      "memory.mostMb": mostMb,
    };
  } finally {
    await running.stop();
  }
}

export function scaled(size: number, { scale }: RoundOptions): number {
  return Math.max(1, Math.round(size * scale));
}

/** Warms each up, then measures them in turn, so that whatever the machine does meets all of them. */
export async function inTurn(
  options: RoundOptions,
  worlds: readonly RunningWorld[],
  run: (running: RunningWorld, index: number, amount: RoundOptions, isCounted: boolean) => Promise<void>,
): Promise<void> {
  for (let round = 0; round <= options.rounds; round += 1) {
    const amount = { ...options, requests: round === 0 ? options.warmUp : options.requests };
    for (const [index, running] of worlds.entries()) await run(running, index, amount, round > 0);
  }
}

/** The median of the ratios of each turn's two neighbours. */
export function ratioOf(samples: readonly Sample[] = [], yardsticks: readonly Sample[] = []): number {
  return median(samples.map(({ cpu }, turn) => cpu / (yardsticks[turn]?.cpu ?? Number.NaN)));
}

const startEach = async (
  sizes: readonly number[],
  planOf: (size: number) => Parameters<typeof startWorld>[0],
): Promise<RunningWorld[]> => {
  const worlds: RunningWorld[] = [];
  for (const size of sizes) worlds.push(await startWorld(planOf(size)));
  return worlds;
};
