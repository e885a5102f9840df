import { cp, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type AckLog, emptyLog, keptChecks, startVisits } from "../acknowledged-visits.ts";
import { readIntegrity } from "../book-file.ts";
import { runCheckCommand } from "../books.ts";
import type { MadeWebsite } from "../catalogue.ts";
import { atLeast, type Check, equal } from "../checks.ts";
import type { DurableImage } from "../machine/durable-image.ts";
import { startService } from "../service.ts";
import { makeTemporaryFolder } from "../temporary-folder.ts";
import { makeWebsite, visitorsEnvironment } from "./scene.ts";

export type PowerLossOptions = {
  clients: number;
  cuts: number;
  acksBetween: number;
  random: () => number;
};

/** What differs from one loss of power to the next: the moment. */
const mostExtraMs = 100;

/**
 * Cuts the power under load: the service ends at once, and of its files nothing is left but what it had made durable by then.
 * On that it starts again, and whatever it had acknowledged is there, once.
 */
export async function powerLoss(image: DurableImage, options: PowerLossOptions): Promise<Check[]> {
  const { directory: home, remove } = await makeTemporaryFolder("offers-power-");
  const log = emptyLog();
  const checks: Check[] = [];
  let website: MadeWebsite | null = null;
  try {
    for (let cut = 0; cut <= options.cuts; cut += 1) {
      const [disk, durable] = [join(home, `disk-${cut}`), join(home, `durable-${cut}`)];
      await mkdir(disk, { recursive: true });
      await mkdir(durable, { recursive: true });
      const service = await startService({
        dataDir: disk,
        environment: { ...visitorsEnvironment, TOKEN_SECRET: secret, ...image.environment(disk, durable) },
      });
      try {
        if (website !== null) {
          checks.push(...(await keptChecks(service, log)));
          checks.push(equal("integrity of the database", readIntegrity(await service.databaseFile()), "ok"));
          checks.push(equal("recount", await runCheckCommand(service, "recount"), ""));
          checks.push(equal("audit", await runCheckCommand(service, "audit"), ""));
        }
        website ??= await makeWebsite(service);
        if (cut === options.cuts) break;
        await visitUntilCut(service, website, log, cut, options);
      } finally {
        await service.kill();
        await service.stop();
      }
      // Two copies: what is durable stays so while the next run writes on.
      for (const name of ["disk", "durable"])
        await cp(durable, join(home, `${name}-${cut + 1}`), { recursive: true });
    }
    return [atLeast("events acknowledged", log.acks, options.cuts * options.acksBetween), ...checks];
  } finally {
    await remove();
  }
}

/** Of this test alone. Given, so that the file in which a service keeps its own is not what is tried. */
const secret = Buffer.alloc(48, "power").toString("base64");

const visitUntilCut = async (
  service: Awaited<ReturnType<typeof startService>>,
  website: MadeWebsite,
  log: AckLog,
  cut: number,
  { clients, acksBetween, random }: PowerLossOptions,
): Promise<void> => {
  const visits = startVisits([service], website, { clients, log, firstVisitor: cut * 20_000 });
  await visits.untilMore(acksBetween);
  await pause(random() * mostExtraMs);
  await service.kill();
  await visits.stop();
};
