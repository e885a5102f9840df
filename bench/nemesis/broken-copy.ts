import { execFile } from "node:child_process";
import { cp, mkdir, readdir, readFile, realpath, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { repositoryRoot } from "../program.ts";
import { makeTemporaryFolder, type TemporaryFolder } from "../temporary-folder.ts";
import type { Edit } from "./trial.ts";

/** What is made of the sources, and which a service needs. */
const built = ["embed/dist", "dashboard/dist", "server/geo/dist"];

/** A copy of the checkout in a temporary folder; the checkout itself is never written. */
export type BrokenCopy = TemporaryFolder;

/** Copies what belongs to the project, changes it as told, and lends it the installed packages. */
export async function makeBrokenCopy(edits: readonly Edit[]): Promise<BrokenCopy> {
  const { directory, remove } = await makeTemporaryFolder("offers-mutant-");
  try {
    for (const file of [...(await listSources()), ...built]) {
      await mkdir(dirname(join(directory, file)), { recursive: true });
      await cp(join(repositoryRoot, file), join(directory, file), { recursive: true });
    }
    await lendPackages(directory);
    for (const edit of edits) {
      const file = join(directory, edit.file);
      await writeFile(file, applyEdit(await readFile(file, "utf8"), edit));
    }
    return { directory, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** The text with the edit made. Throws where what it replaces is gone, or stands there twice. */
export function applyEdit(text: string, { file, old, new: replacement }: Edit): string {
  const times = text.split(old).length - 1;
  if (times !== 1) throw new Error(`${file}: expected once and found ${times} times: ${old}`);
  return text.replace(old, () => replacement);
}

/** What Git would commit of this checkout, new files included. */
const listSources = async (): Promise<string[]> => {
  const words = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"];
  const { stdout } = await promisify(execFile)("git", words, { cwd: repositoryRoot, maxBuffer: 1e8 });
  const { stdout: gone } = await promisify(execFile)("git", ["ls-files", "--deleted", "-z"], {
    cwd: repositoryRoot,
  });
  const deleted = new Set(gone.split("\0"));
  return stdout.split("\0").filter((file) => file !== "" && !deleted.has(file));
};

/** Links to every package, but to the copy's own for those of the project. */
const lendPackages = async (directory: string): Promise<void> => {
  for (const room of ["node_modules", "bench/node_modules"]) {
    const from = await realpath(join(repositoryRoot, room)).catch(() => null);
    if (from === null) continue;
    const to = join(directory, room);
    await mkdir(to, { recursive: true });
    for (const name of await readdir(from)) {
      if (name === "@offers")
        await cp(join(from, name), join(to, name), { recursive: true, verbatimSymlinks: true });
      else if (name !== ".cache") await symlink(join(from, name), join(to, name));
    }
  }
};
