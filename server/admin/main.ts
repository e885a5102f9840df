import { promisify } from "node:util";
import { readConfig } from "../config.ts";
import { runAdmin } from "./run-admin.ts";

// Every file that a command makes is for its user alone: databases, backups, exports, location data.
process.umask(0o077);

// A reader that has seen enough, such as `head`, closes the pipe: that is no failure of ours.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

/** Whether a process listens there that says it is alive. */
const isAnswering = async (address: string): Promise<boolean> => {
  try {
    const answer = await fetch(`${address}/healthz`, { signal: AbortSignal.timeout(1000) });
    await answer.body?.cancel();
    return answer.ok;
  } catch {
    return false;
  }
};

process.exitCode = await runAdmin(process.argv.slice(2), {
  readConfig,
  now: Date.now,
  pause: promisify(setTimeout),
  isAnswering,
  print: (text) => process.stdout.write(text),
  complain: (text) => process.stderr.write(text),
});
