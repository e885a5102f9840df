import type { Load } from "../load/load.ts";
import { type Path, paths } from "../load/plan.ts";
import {
  type FloorAnswer,
  type Measured,
  startBareExpress,
  startBareHttp,
  startFloor,
} from "../yardsticks/start-yardstick.ts";
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

/** Bare node:http, the floor, and the five paths of the service, each path right after bare Express. */
export async function pathsRound(options: RoundOptions): Promise<Figures> {
  return comparePaths("paths", options, {});
}

/** The same on a disk that takes 2 ms longer for every fsync; bare Express has no disk, and is the same yardstick. */
export async function slowDiskRound(
  options: RoundOptions,
  slowDisk: Record<string, string>,
): Promise<Figures> {
  return comparePaths("slow-disk", options, slowDisk);
}

type Samples = Record<string, Sample[]>;

const comparePaths = async (
  name: string,
  options: RoundOptions,
  environment: Record<string, string>,
): Promise<Figures> => {
  const running = await startWorld({ websites: options.websites, offers: 30, environment });
  const bare = await startBareHttp();
  const express = await startBareExpress();
  const floor = await startFloor(await answerOf(running), environment);
  const samples: Samples = {};
  const ratios: Record<string, { cpu: number[]; speed: number[] }> = {};
  const keep = (what: string, sample: Sample, yardstick: Sample | null): void => {
    samples[what] = [...(samples[what] ?? []), sample];
    if (yardstick === null) return;
    const ratio = ratios[what] ?? { cpu: [], speed: [] };
    ratio.cpu.push(yardstick.cpu / sample.cpu);
    ratio.speed.push(sample.perSecond / yardstick.perSecond);
    ratios[what] = ratio;
  };
  try {
    for (let round = 0; round <= options.rounds; round += 1) {
      // Round 0 warms everything up and is not counted.
      const amount = { ...options, requests: round === 0 ? options.warmUp : options.requests };
      const run = (target: Measured, load: Load, traffic: Path | "yardstick") =>
        measure(target, load, traffic, amount);
      const counted = round > 0 ? keep : () => undefined;
      const first = await run(express, running.load, "yardstick");
      counted("bare node:http", await run(bare, running.load, "yardstick"), first);
      counted("floor", await run(floor, running.load, "yardstick"), first);
      for (const path of paths) {
        const yardstick = await run(express, running.load, "yardstick");
        counted("Express JSON", yardstick, null);
        counted(path, await run(running.service, running.load, path), yardstick);
      }
      options.say(`${name}: ${round === 0 ? "warm" : `round ${round} of ${options.rounds}`}`);
    }
  } finally {
    await Promise.all([running.stop(), bare.stop(), express.stop(), floor.stop()]);
  }
  return summarise(name, samples, ratios, options.say);
};

const summarise = (
  name: string,
  samples: Samples,
  ratios: Record<string, { cpu: number[]; speed: number[] }>,
  say: (line: string) => void,
): Figures => {
  const figures: Figures = {};
  say(
    `\n${sampleHead}  CPU ratio  speed ratio   (ratio: Express CPU ÷ its own; 1.00 is as cheap as Express)`,
  );
  for (const [what, taken] of Object.entries(samples)) {
    const sample = medianSample(taken);
    const ratio = ratios[what] ?? { cpu: [1], speed: [1] };
    const [cpu, speed] = [median(ratio.cpu), median(ratio.speed)];
    say(`${sampleLine(what, sample)} ${cpu.toFixed(2).padStart(10)} ${speed.toFixed(2).padStart(12)}`);
    const key = `${name}.${what}`;
    figures[`${key}.ratio`] = cpu;
    figures[`${key}.speedRatio`] = speed;
    for (const [figure, value] of Object.entries(sample)) figures[`${key}.${figure}`] = value;
  }
  return figures;
};

/** Of a decision of its own, so that the floor answers with our headers and no list of them stands here. */
const answerOf = async ({ service, world }: RunningWorld): Promise<FloorAnswer> => {
  const [website] = world.websites;
  if (website === undefined) throw new Error("the world has no website");
  const target = `${service.url}/v1/decision?pub=${website.publicKey}&website=${website.websiteKey}`;
  const answer = await fetch(target, { headers: { origin: website.origin, "x-forwarded-for": "81.92.1.1" } });
  const perConnection = new Set(["date", "connection", "keep-alive", "content-length"]);
  const headers = [...answer.headers].filter(([name]) => !perConnection.has(name)).flat();
  return { headers, body: await answer.text() };
};
