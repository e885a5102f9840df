import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** A file could not be written; the one before it is as it was. */
export class CannotWrite extends Error {
  override readonly name = "CannotWrite";
}

/**
 * Writes a file whole, with its directory: whoever reads it meanwhile reads the one before.
 * @throws CannotWrite when the disk is full, or the file or its directory is not ours to write.
 */
export function replaceFile(file: string, content: string | Uint8Array): void {
  const partial = `${file}.${process.pid}.partial`;
  try {
    mkdirSync(dirname(file), { recursive: true });
    try {
      writeFileSync(partial, content);
      renameSync(partial, file);
    } finally {
      rmSync(partial, { force: true });
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new CannotWrite(`cannot write ${file} (${code ?? message})`);
  }
}
