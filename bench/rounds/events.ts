import { cp, rm } from "node:fs/promises";
import { tableSizes, usedBytes } from "../book-file.ts";
import { repeatEvents } from "../fill.ts";
import { startLoad } from "../load/load.ts";
import { preloaded } from "../machine/preloaded.ts";
import { untilIdle } from "../machine/process-figures.ts";
import { startService } from "../service.ts";
import { inTurn, ratioOf, scaled } from "./growth.ts";
import {
  type Figures,
  measure,
  medianSample,
  noteWrong,
  type RoundOptions,
  type Sample,
  sampleHead,
  sampleLine,
} from "./measure.ts";
import { productionEnvironment, type RunningWorld, startWorld } from "./world.ts";

/**
 * One service with a million events, sent over HTTP as a site's day is, and one with a copy of its data in which
 * every event is stored ten times: what an event costs in each, and how many bytes it takes.
 */
export async function eventsRound(options: RoundOptions): Promise<Figures> {
  const environment = productionEnvironment();
  const first = await startWorld({ websites: options.websites, offers: 30, environment });
  const worlds: RunningWorld[] = [first];
  try {
    const stored = await storeEvents(first, options);
    worlds.push(await startCopy(first, environment));
    const samples = worlds.map(() => [] as Sample[]);
    await inTurn(options, worlds, async ({ service, load }, index, amount, isCounted) => {
      // What the mixed calls follow.
      await measure(service, load, "decision", amount);
      await measure(service, load, "offers", { ...amount, requests: Math.ceil(amount.requests / 2) });
      const sample = await measure(service, load, "mixed", amount);
      if (isCounted) samples[index]?.push(sample);
    });
    options.say(sampleHead);
    const [few = [], many = []] = samples;
    options.say(sampleLine(`${stored.events} events`, medianSample(few)));
    options.say(sampleLine("ten times as many", medianSample(many)));
    return {
      "events.stored": stored.events,
      "events.bytesAnEvent": stored.bytes / stored.events,
      "events.cpu": medianSample(few).cpu,
      "events.tenfoldCpu": medianSample(many).cpu,
      "events.cpuRatio": ratioOf(many, few),
    };
  } finally {
    await Promise.all(worlds.map(({ stop }) => stop()));
  }
}

const days = 5;
const dayMs = 86_400_000;

/** Days of a million events each, of the same websites, places and offers: what an event takes as the days go by. */
export async function daysRound(options: RoundOptions): Promise<Figures> {
  const environment = { NODE_OPTIONS: preloaded("shifted-clock") };
  const { service, world, stop } = await startWorld({ websites: options.websites, offers: 30, environment });
  const figures: Figures = {};
  try {
    const file = await service.databaseFile();
    const before = usedBytes(file);
    let events = 0;
    for (let day = 1; day <= days; day += 1) {
      await service.terminate();
      await service.start({ CLOCK_SHIFT_MS: String(day * dayMs) });
      const load = startLoad(world, day);
      events += await sendEvents({ service, load }, options).finally(load.stop);
      figures[`days.${day}.bytesAnEvent`] = sayBytes(file, events, before, options) / events;
    }
    return figures;
  } finally {
    await stop();
  }
}

const storeEvents = async (running: RunningWorld, options: RoundOptions) => {
  const file = await running.service.databaseFile();
  const before = usedBytes(file);
  const events = await sendEvents(running, options);
  return { events, bytes: sayBytes(file, events, before, options) };
};

/** Some million of mixed traffic; resolves, when all of them are on the disk, to how many there were. */
const sendEvents = async (
  { service, load }: Pick<RunningWorld, "service" | "load">,
  options: RoundOptions,
): Promise<number> => {
  const wanted = scaled(1_000_000, options);
  let events = 0;
  while (events < wanted) {
    const shape = { kind: "timed", clients: options.clients, seconds: 5 } as const;
    const [result] = await load.run({ url: service.url, traffic: "mixed", shape });
    noteWrong(result, options.wrong);
    events += result.events;
  }
  // The visits that were decided without waiting for the disk are on it once nothing is left to do.
  await untilIdle(service.pid);
  return events;
};

const sayBytes = (file: string, events: number, before: number, { say }: RoundOptions): number => {
  const bytes = usedBytes(file) - before;
  say(`${events} events in ${bytes} bytes, ${(bytes / events).toFixed(1)} each`);
  for (const { name, bytes: size } of tableSizes(file).slice(0, 8)) {
    say(`  ${name.padEnd(28)} ${(size / events).toFixed(1)} bytes an event`);
  }
  return bytes;
};

/** With the same secrets, catalogue and keys, and every event ten times. */
const startCopy = async (
  { service, world, key }: RunningWorld,
  environment: Record<string, string>,
): Promise<RunningWorld> => {
  const dataDir = `${service.dataDir}-tenfold`;
  await service.kill();
  await cp(service.dataDir, dataDir, { recursive: true });
  await service.start();
  const copy = await startService({ environment, dataDir });
  await copy.kill();
  repeatEvents(await copy.databaseFile(), 9);
  await copy.start();
  const load = startLoad(world, 2);
  return {
    service: copy,
    world,
    load,
    key,
    stop: async () => {
      await load.stop();
      await copy.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
};
