import { compilePreload } from "./preload.ts";

/** A disk that takes longer: a library that delays what makes a write durable. */
export type SlowFsync = {
  /** The environment of a program whose every fsync and fdatasync takes that much longer. */
  environment: (milliseconds: number) => Record<string, string>;
  /** The same by what a file says, in microseconds, at that moment; no file: no longer. */
  environmentByFile: (file: string) => Record<string, string>;
  remove: () => Promise<void>;
};

/** Null on anything but Linux, and where there is no C compiler. */
export async function compileSlowFsync(): Promise<SlowFsync | null> {
  const preload = await compilePreload("slow-fsync");
  if (preload === null) return null;
  return {
    environment: (milliseconds) => ({
      LD_PRELOAD: preload.library,
      FSYNC_DELAY_US: String(milliseconds * 1000),
    }),
    environmentByFile: (file) => ({ LD_PRELOAD: preload.library, FSYNC_DELAY_FILE: file }),
    remove: preload.remove,
  };
}
