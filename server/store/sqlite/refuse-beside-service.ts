import { dirname } from "node:path";
import { runningService } from "../../running-mark.ts";

/**
 * Refuses to bring a database to another schema under a service that runs on it: that one would end at its next event, or
 * store it as the schema of before has it, and could not be started again.
 * @throws Error with what to do, and the system's where its directory cannot be read.
 */
export function refuseBesideService(file: string): void {
  const service = runningService(dirname(file));
  if (service === null) return;
  throw new Error(
    `a service of an older release runs on the database (process ${service.pid}): stop it before this program brings the ` +
      "database to its own layout, or use the command line of that release; nothing was changed. Where that process is no " +
      `service, and the one that was has been killed, remove ${service.mark}`,
  );
}
