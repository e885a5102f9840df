import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { setTimeout as pause, setInterval } from "node:timers/promises";
import { closeDoors } from "./doors.ts";

/** How long a load balancer gets to notice that /readyz says no. */
const noticeMs = 2_000;
/** For how long a connection that is idle when the door closes may still bring a request that was on its way. */
const idleMs = 1_000;
/** How long all of it takes at the most: what has not brought its whole request by then is not waited for. */
const mostMs = 4_000;
/** How often it is looked for connections that have become idle since, to close them. */
const sweepMs = 50;
/** For how long calls are held back before the door closes. Whoever was answered last has sent its next call by then, or sends none. */
const holdMs = 250;
/** Where it has taken so much longer the process stood still, and who came meanwhile was not taken yet: it is held anew. */
const haltMs = 100;
/** After so long it is not held anew any more: those who are held back have to be answered within all of the time. */
const mostHeldMs = 750;

/**
 * Stops serving without losing a request: keeps answering for the notice time, takes no more connections, lets what is
 * under way finish, and closes what is idle. Whoever answers says `Connection: close` from before the call on. Resolves
 * when every connection is closed, or four seconds after the call: what is left then is not waited for.
 * `isNoticed`: false when nobody is there to notice.
 */
export async function stopServing(server: Server, { isNoticed }: { isNoticed: boolean }): Promise<void> {
  if (!server.listening) return;
  const closed = new AbortController();
  const signal = AbortSignal.any([closed.signal, AbortSignal.timeout(mostMs)]);
  if (isNoticed) await pause(noticeMs);
  await closeDoor(server, () => closed.abort());
  try {
    await pause(idleMs, undefined, { signal });
    for await (const _ of setInterval(sweepMs, undefined, { signal })) server.closeIdleConnections();
  } catch {
    // Aborted: everything is closed, or it has taken long enough.
  }
}

/**
 * Takes no more connections. The system resets those that it has accepted and that were not taken from it yet; while
 * nobody is answered for a moment, nobody comes back for more, and there are none.
 */
const closeDoor = async (server: Server, onClosed: () => void): Promise<void> => {
  const answering = server.listeners("request");
  const held: [IncomingMessage, ServerResponse][] = [];
  server.removeAllListeners("request");
  server.on("request", (...request) => held.push(request));
  await holdBack();
  closeDoors(server, onClosed);
  server.removeAllListeners("request");
  for (const listener of answering) server.on("request", listener as (...request: unknown[]) => void);
  for (const request of held) server.emit("request", ...request);
};

/** Resolves once calls have been held back for as long as it takes, in which the process has not stood still. */
const holdBack = async (): Promise<void> => {
  const until = performance.now() + mostHeldMs;
  for (;;) {
    const from = performance.now();
    await pause(holdMs);
    const now = performance.now();
    if (now >= until || now - from < holdMs + haltMs) return;
  }
};
