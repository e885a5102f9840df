import { rm, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { keptChecks, startVisits } from "../acknowledged-visits.ts";
import { readIntegrity } from "../book-file.ts";
import { runCheckCommand } from "../books.ts";
import { atLeast, atMost, type Check, equal } from "../checks.ts";
import { mountSmallDisk } from "../machine/small-disk.ts";
import { isAlive } from "../program.ts";
import { pollHealth } from "../rounds/health.ts";
import { type Service, startService } from "../service.ts";
import { makeWebsite, visitorsEnvironment } from "./scene.ts";
import type { Skipped } from "./trial.ts";
import { writeImpressions } from "./write-impressions.ts";

export type FullDiskOptions = { clients: number; fullMs: number };

const diskMegabytes = 64;
/** What the service is left with when the disk fills up: it has to meet the end by its own writing. */
const leftBytes = 300_000;

/**
 * Lets the disk under the service fill up under load, and makes room again: while it is full writes are refused and nothing is
 * acknowledged that is not kept, and once there is room it goes on by itself.
 */
export async function fullDisk(options: FullDiskOptions): Promise<readonly Check[] | Skipped> {
  const disk = await mountSmallDisk(diskMegabytes);
  if (disk === null) return { skipped: "a small disk (tmpfs) can be mounted by root on Linux alone" };
  let service: Service | null = null;
  try {
    service = await startService({ dataDir: disk.directory, environment: visitorsEnvironment });
    const { pid } = service;
    const ended = (): Check => equal("processes that ended", isAlive(pid) ? 0 : 1, 0);
    return await fillUp(service, disk.directory, options).then(
      (checks) => [ended(), ...checks],
      (error: unknown) => {
        if (isAlive(pid)) throw error;
        return [ended()];
      },
    );
  } finally {
    await service?.stop();
    await disk.remove();
  }
}

const fillUp = async (service: Service, directory: string, options: FullDiskOptions): Promise<Check[]> => {
  const website = await makeWebsite(service);
  const visits = startVisits([service], website, { clients: options.clients });
  await visits.untilMore(300);
  const writes = await writeImpressions(service, website, { writers: 4, firstVisitor: 60_000 });
  const health = pollHealth(service.url);
  const other = join(directory, "other");
  const { bavail, bsize } = await statfs(directory);
  visits.expectRefusals(true);
  // The service may be quicker, and take what was to be left.
  await writeFile(other, Buffer.alloc(Math.max(0, bavail * bsize - leftBytes))).catch(unlessFull);
  await writes.untilRefused();
  await pause(options.fullMs);
  const readyWhileFull = await askReady(service);
  const { asked, missed, p99 } = await health.end();
  await rm(other);
  const recoveryMs = await writes.untilTaken();
  visits.expectRefusals(false);
  await visits.untilMore(300);
  const readyAgain = await askReady(service);
  await writes.stop();
  await visits.stop();
  return [
    atLeast("writes refused with 503", writes.seen.refused, 10),
    equal("refusals without Retry-After", writes.seen.withoutRetryAfter, 0),
    equal("answers other than 204 and 503", writes.seen.wrong.slice(0, 3).join("; "), ""),
    // Twenty times a second, less what each answer takes.
    atLeast("/healthz asked while it is full", asked, Math.floor(options.fullMs / 100)),
    equal("… not answered 200 within a second", missed, 0),
    atMost("/healthz p99 while it is full, in ms", Math.round(p99), 200),
    equal("/readyz while it is full", readyWhileFull, 503),
    equal("… and once writes are taken again", readyAgain, 200),
    atMost("until a write was taken again, in ms", Math.round(recoveryMs), 2000),
    ...(await keptChecks(service, visits.log)),
    equal("integrity of the database", readIntegrity(await service.databaseFile()), "ok"),
    equal("recount", await runCheckCommand(service, "recount"), ""),
    equal("audit", await runCheckCommand(service, "audit"), ""),
  ];
};

const askReady = async ({ url }: Service): Promise<number> => {
  const { status, body } = await fetch(`${url}/readyz`);
  await body?.cancel();
  return status;
};

const unlessFull = (error: unknown): void => {
  if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
};
