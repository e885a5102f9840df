import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

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
  process.once("exit", unmount);
  return {
    directory,
    remove: async () => {
      process.off("exit", unmount);
      unmount();
      await removeDirectory();
    },
  };
}
