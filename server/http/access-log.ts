import type { ServerResponse } from "node:http";
import type { Context } from "../context.ts";
import { stableHash } from "../core/stable-hash.ts";
import type { Call } from "./call.ts";
import { loggedCall } from "./logged-call.ts";

/** Notes a call that was just begun, and hears of the end of its answer. */
export type AccessLog = (call: Call, res: ServerResponse) => void;

/**
 * Writes a line for a share of all calls once they are over; null where there is none. Which ones is decided by the
 * hash of the call's id. No address, no header, no query stands there, and of the path its route's alone.
 */
export function createAccessLog({
  log,
  accessShare,
}: Pick<Context, "log" | "accessShare">): AccessLog | null {
  if (accessShare <= 0) return null;
  const below = accessShare * 2 ** 32;
  return (call, res) => {
    if (stableHash(call.id) >= below) return;
    const startedAt = performance.now();
    res.once("close", () => {
      const milliseconds = Math.round(10 * (performance.now() - startedAt)) / 10;
      // The client left, or was cut off, before it had the whole answer.
      const cut = res.writableFinished ? {} : { cut: true };
      // Node has 200 there until an answer begins.
      const status = res.headersSent ? { status: res.statusCode } : {};
      log({ event: "request", ...loggedCall(call), ...status, milliseconds, ...cut }, call);
    });
  };
}
