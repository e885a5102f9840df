import { fsyncHeld } from "../fsync-held.ts";
import type { SlowFsync } from "../machine/slow-fsync.ts";
import type { Figures, RoundOptions } from "./measure.ts";

/** The promise, as one of the rounds. */
export async function fsyncHeldRound(options: RoundOptions, slowFsync: SlowFsync): Promise<Figures> {
  const checks = await fsyncHeld(slowFsync, { heldMs: 300, writes: 8 });
  for (const { claim, holds, seen } of checks) options.say(`${holds ? "ok  " : "FAIL"} ${claim}: ${seen}`);
  return { "fsync-held.failed": checks.filter(({ holds }) => !holds).length };
}
