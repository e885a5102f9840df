import { setTimeout as pause } from "node:timers/promises";
import type { AlertLine } from "./read-alerts.ts";
import type { Fault, Scene } from "./scene.ts";
import type { AlertWatch } from "./watch-alerts.ts";

/** What became of an alert that a fault must set off. */
export type Proof = {
  alert: string;
  job: string;
  fault: string;
  withinSeconds: number;
  /** Seconds from the fault to the alert; null: it did not come. */
  tookSeconds: number | null;
  /** It fired already while nothing was wrong. */
  wasEarly: boolean;
};

/** Beside the promised window: the look that finds out, on a machine that has much else to do. */
export const allowanceSeconds = 30;

/**
 * Makes the faults of all scenes side by side, those of one scene one after the other, and waits for their alerts. What
 * cannot be made is told, its alerts have not come, and the others go on.
 */
export async function proveFaults(
  scenes: readonly Scene[],
  { lines, watch }: { lines: readonly AlertLine[]; watch: AlertWatch },
): Promise<Proof[]> {
  const proofs = await Promise.all(
    scenes.map(async ({ job, faults }) => {
      const ofScene: Proof[] = [];
      for (const fault of faults) ofScene.push(...(await proveFault(job, fault, { lines, watch })));
      return ofScene;
    }),
  );
  return proofs.flat();
}

/** The alerts that have fired and that no fault of their installation explains. */
export function unexplained(scenes: readonly Scene[], watch: AlertWatch): string[] {
  return watch
    .fired()
    .filter(({ job, name }) => {
      const faults = scenes.find((scene) => scene.job === job)?.faults ?? [];
      return !faults.some(({ fires, mayFire = [] }) => fires.includes(name) || mayFire.includes(name));
    })
    .map(({ job, name }) => `${name} of ${job}`);
}

const proveFault = async (
  job: string,
  { what, fires, afterSeconds = 0, make }: Fault,
  { lines, watch }: { lines: readonly AlertLine[]; watch: AlertWatch },
): Promise<Proof[]> => {
  await pause(afterSeconds * 1000);
  const early = fires.filter((alert) => watch.firedAt(job, alert) !== undefined);
  const isMade = await make().then(
    () => true,
    (error: unknown) => {
      console.log(`  ${clock()} ${job}: cannot be made: ${what}`, error);
      return false;
    },
  );
  const madeAt = performance.now();
  if (isMade) console.log(`  ${clock()} ${job}: ${what}`);
  return Promise.all(
    fires.map(async (alert) => {
      const withinSeconds = lines.find(({ name }) => name === alert)?.withinSeconds ?? 0;
      const proof = { alert, job, fault: what, withinSeconds, wasEarly: early.includes(alert) };
      if (!isMade) return { ...proof, tookSeconds: null };
      await watch.untilFired(job, alert, madeAt + (withinSeconds + allowanceSeconds) * 1000);
      const at = watch.firedAt(job, alert);
      const tookSeconds = at === undefined ? null : Math.round((at - madeAt) / 1000);
      console.log(
        `  ${clock()} ${job}: ${alert} ${tookSeconds === null ? "did not come" : `after ${tookSeconds} s`}`,
      );
      return { ...proof, tookSeconds };
    }),
  );
};

const clock = (): string => new Date().toISOString().slice(11, 19);
