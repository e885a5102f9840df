import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** A disk that takes longer: a library that delays what makes a write durable, compiled for this run. */
export type SlowFsync = {
  /** The environment of a program whose every fsync and fdatasync takes that much longer. */
  environment: (milliseconds: number) => Record<string, string>;
  remove: () => Promise<void>;
};

/** Null on anything but Linux, and where there is no C compiler. */
export async function compileSlowFsync(): Promise<SlowFsync | null> {
  if (process.platform !== "linux") return null;
  const directory = await mkdtemp(join(tmpdir(), "slow-fsync-"));
  const remove = () => rm(directory, { recursive: true, force: true });
  const library = join(directory, "slow-fsync.so");
  const source = join(import.meta.dirname, "slow-fsync.c");
  try {
    await promisify(execFile)("cc", ["-shared", "-fPIC", "-O2", "-o", library, source, "-ldl"]);
  } catch {
    await remove();
    return null;
  }
  return {
    environment: (milliseconds) => ({ LD_PRELOAD: library, FSYNC_DELAY_US: String(milliseconds * 1000) }),
    remove,
  };
}
