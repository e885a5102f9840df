import { setTimeout as pause } from "node:timers/promises";

/** Nothing that a program does to a service on purpose keeps it from acknowledging for so long. */
const usualPatienceMs = 60_000;

/** Waits until so many of something are counted. Rejects when for a minute none has been, and when `failed` does. */
export async function untilCounted(
  count: () => number,
  wanted: number,
  { failed, patience = usualPatienceMs }: { failed?: Promise<never>; patience?: number | undefined } = {},
): Promise<void> {
  let seen = count();
  let since = performance.now();
  while (count() < wanted) {
    await (failed === undefined ? pause(5) : Promise.race([failed, pause(5)]));
    if (count() !== seen) {
      seen = count();
      since = performance.now();
    } else if (performance.now() - since > patience) {
      throw new Error(`nothing was acknowledged for ${patience} ms, ${seen} of ${wanted} before`);
    }
  }
}
