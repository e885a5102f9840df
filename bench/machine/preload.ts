import { execFile } from "node:child_process";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** A library that stands before the C library, compiled for this run. */
export type Preload = { library: string; remove: () => Promise<void> };

/** Compiles `NAME.c` of this folder. Null on anything but Linux, and where there is no C compiler. */
export async function compilePreload(name: string): Promise<Preload | null> {
  if (process.platform !== "linux") return null;
  const directory = await mkdtemp(join(tmpdir(), `${name}-`));
  const remove = () => rm(directory, { recursive: true, force: true });
  const library = join(directory, `${name}.so`);
  const source = join(import.meta.dirname, `${name}.c`);
  try {
    await promisify(execFile)("cc", ["-shared", "-fPIC", "-O2", "-o", library, source, "-ldl"]);
    // A database server runs as somebody else.
    await chmod(directory, 0o755);
  } catch {
    await remove();
    return null;
  }
  return { library, remove };
}
