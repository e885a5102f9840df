import { setTimeout as pause } from "node:timers/promises";

const windowMs = 60_000;

/** Nodes that count together open a limit's window with each minute of the clock: waits for the next where less than so much is left. */
export async function untilMinuteHas(neededMs: number): Promise<void> {
  const left = windowMs - (Date.now() % windowMs);
  if (left < neededMs) await pause(left + 100);
}
