import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/**
 * A port that nothing listens on, never the same one twice, for a program whose address has to be known before it starts.
 * It lies below those that operating systems hand out by themselves (from 32768 on Linux, from 49152 elsewhere): no other
 * socket is given it before it is listened on.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = nextPort;
    nextPort = port < lastPort ? port + 1 : firstPort;
    if (await isFree(port)) return port;
  }
}

/** Of how many workers each has ports of its own. */
const stretches = 24;
const portsEach = 500;
const lowest = 20_000;

/**
 * Where a process finds its ports. Workers of one run, be it Vitest's or Playwright's, have a stretch each: two of them
 * that look at once would find the same port before either listens on it. `run`: what they have in common, so that those
 * of another run on this machine begin elsewhere.
 */
export function portsOf(
  { VITEST_POOL_ID, TEST_PARALLEL_INDEX }: Readonly<Record<string, string | undefined>>,
  run: number,
): { firstPort: number; lastPort: number } {
  const worker = Number(VITEST_POOL_ID ?? TEST_PARALLEL_INDEX ?? Number.NaN);
  if (Number.isNaN(worker)) return { firstPort: lowest, lastPort: lowest + stretches * portsEach - 1 };
  const firstPort = lowest + ((run + worker) % stretches) * portsEach;
  return { firstPort, lastPort: firstPort + portsEach - 1 };
}

const { firstPort, lastPort } = portsOf(process.env, process.ppid);
/** Not always the first: what a worker's last file has started may be ending yet. */
let nextPort = randomInt(firstPort, lastPort);

function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  return new Promise((resolve) => {
    probe.once("error", () => resolve(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });
}
