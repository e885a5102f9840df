import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atExit } from "../../server/testing/at-exit.ts";

/** A folder that is a disk of its own. */
export type SmallDisk = { directory: string; remove: () => Promise<void> };

/** Mounts a disk (tmpfs) of so many megabytes in a temporary folder. Null where we may not. */
export async function mountSmallDisk(megabytes: number): Promise<SmallDisk | null> {
  const directory = await mkdtemp(join(tmpdir(), "offers-full-"));
  const removeDirectory = () => rm(directory, { recursive: true, force: true });
  try {
    const size = `size=${megabytes}m`;
    execFileSync("mount", ["-t", "tmpfs", "-o", size, "none", directory], { stdio: "pipe" });
  } catch {
    await removeDirectory();
    return null;
  }
  // Lazily: whoever still has a file of it open keeps it until then.
  const unmount = (): void => void execFileSync("umount", ["-l", directory], { stdio: "pipe" });
  const callOff = atExit(() => {
    unmount();
    rmSync(directory, { recursive: true });
  });
  return {
    directory,
    remove: async () => {
      callOff();
      unmount();
      await removeDirectory();
    },
  };
}
