import { rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atExit } from "../server/testing/at-exit.ts";

/** A folder of a trial's own. */
export type TemporaryFolder = { directory: string; remove: () => Promise<void> };

/** Makes a folder whose name begins so. It goes with this process too, where that is ended by a signal. */
export async function makeTemporaryFolder(prefix: string): Promise<TemporaryFolder> {
  const directory = await mkdtemp(join(tmpdir(), prefix));
  const callOff = atExit(() => rmSync(directory, { recursive: true, force: true }));
  return {
    directory,
    remove: async () => {
      await rm(directory, { recursive: true, force: true });
      callOff();
    },
  };
}
