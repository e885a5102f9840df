import { userInfo } from "node:os";
import { promisify } from "node:util";
import { readConfig } from "../config.ts";
import type { AdminPorts } from "./run-admin.ts";

/** What a process of its own gives to the commands, all but where they write to. */
export const processPorts: Omit<AdminPorts, "print" | "complain" | "isHeard"> = {
  readConfig,
  now: Date.now,
  pause: promisify(setTimeout),
  userName: () => {
    try {
      return userInfo().username;
    } catch {
      // In a container the number that it runs as may have no name.
      return `user ${process.getuid?.() ?? "unknown"}`;
    }
  },
  isAnswering: async (address) => {
    try {
      const answer = await fetch(`${address}/healthz`, { signal: AbortSignal.timeout(1000) });
      await answer.body?.cancel();
      return answer.ok;
    } catch {
      return false;
    }
  },
};
