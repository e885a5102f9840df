import { copyFile, link, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { keptChecks, startVisits } from "../acknowledged-visits.ts";
import { readIntegrity } from "../book-file.ts";
import { atLeast, type Check, equal } from "../checks.ts";
import { startService } from "../service.ts";
import { makeTemporaryFolder } from "../temporary-folder.ts";
import { makeWebsite, visitorsEnvironment } from "./scene.ts";

export type LostFilesOptions = { clients: number; acks: number; lostMs: number };

/** A batch that was under way may still be answered: it was committed while the files were there. */
const underWayMs = 300;

const remove = (file: string): Promise<void> => rm(file);
const replace = async (file: string): Promise<void> => {
  await copyFile(file, `${file}.new`);
  await rename(`${file}.new`, file);
};

/** What happens to which file. */
const losses = [
  { what: "the database is removed", suffix: "", lose: remove },
  { what: "the database is replaced by a copy", suffix: "", lose: replace },
  { what: "its log is removed", suffix: "-wal", lose: remove },
  { what: "its log is replaced by a copy", suffix: "-wal", lose: replace },
] as const;

/**
 * Takes a file of the database away under load, by turns: from then on nothing is acknowledged, and it says that it is not ready.
 * Once it was stopped and the file is back, whatever it had acknowledged is there.
 */
export async function lostFiles(options: LostFilesOptions): Promise<Check[]> {
  const checks: Check[] = [];
  for (const loss of losses) checks.push(...(await loseOne(loss, options)));
  return checks;
}

const loseOne = async (
  { what, suffix, lose }: (typeof losses)[number],
  { clients, acks, lostMs }: LostFilesOptions,
): Promise<Check[]> => {
  const { directory: dataDir, remove: removeData } = await makeTemporaryFolder("offers-lost-");
  const service = await startService({ dataDir, environment: visitorsEnvironment });
  try {
    const website = await makeWebsite(service);
    const file = await service.databaseFile();
    const [lost, kept] = [`${file}${suffix}`, join(dataDir, "kept")];
    const visits = startVisits([service], website, { clients });
    await visits.untilMore(acks);
    // The file itself, under a name that nobody loses: what an operator finds in a wastebasket.
    await link(lost, kept);
    visits.expectRefusals(true);
    await lose(lost);
    await pause(underWayMs);
    const before = visits.log.acks;
    await pause(lostMs);
    const late = visits.log.acks - before;
    const { status, body } = await fetch(`${service.url}/readyz`);
    await body?.cancel();
    await visits.stop();
    await service.terminate();
    // A log that was folded into the database when the service ended holds nothing any more, and is let go.
    if (suffix === "") await rename(kept, file);
    else await rm(lost, { force: true });
    await service.start();
    return [
      atLeast(`events acknowledged before ${what}`, before, acks),
      equal(`events acknowledged after ${what}`, late, 0),
      equal(`/readyz after ${what}`, status, 503),
      ...(await keptChecks(service, visits.log)),
      equal("integrity of the database", readIntegrity(file), "ok"),
    ];
  } finally {
    await service.stop();
    await removeData();
  }
};
