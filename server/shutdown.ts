import type { Server } from "node:http";
import { setInterval, setTimeout } from "node:timers/promises";

/** How long a load balancer gets to notice that /readyz says no. */
const noticeMs = 2_000;
/** A connection that was busy at the call of `close` is kept alive by Node once it is idle; somebody has to look. */
const sweepMs = 50;

/**
 * Stops serving without losing a request: keeps answering for the notice time, takes no more connections,
 * lets what is under way finish, and closes what is idle. `isNoticed`: false when nobody is there to notice.
 */
export async function stopServing(server: Server, { isNoticed }: { isNoticed: boolean }): Promise<void> {
  if (!server.listening) return;
  if (isNoticed) await setTimeout(noticeMs);
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const sweeping = new AbortController();
  void closed.then(() => sweeping.abort());
  try {
    for await (const _ of setInterval(sweepMs, undefined, { signal: sweeping.signal })) {
      server.closeIdleConnections();
    }
  } catch {
    // Aborted: everything is closed.
  }
  await closed;
}
