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

const firstPort = 20_000;
const lastPort = 32_000;
/** Each process begins elsewhere, so that two of them which look at once do not find the same port. */
let nextPort = randomInt(firstPort, lastPort);

function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  return new Promise((resolve) => {
    probe.once("error", () => resolve(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });
}
