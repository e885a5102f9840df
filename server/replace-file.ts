import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** A file could not be written; the one before it is as it was. */
export class CannotWrite extends Error {
  override readonly name = "CannotWrite";
  /** The system's word for why, such as EACCES. */
  readonly code: string;

  constructor(file: string, { code, message }: NodeJS.ErrnoException) {
    const why = code ?? message;
    super(`cannot write ${file} (${why})`);
    this.code = why;
  }
}

/**
 * Writes a file whole, and with `makesDirectory` its directory too: whoever reads it meanwhile reads the one before.
 * @throws CannotWrite when the disk is full, or the file or its directory is not ours to write.
 */
export function replaceFile(
  file: string,
  content: string | Uint8Array,
  { makesDirectory = false }: { makesDirectory?: boolean } = {},
): void {
  // Two that write to one name are two processes.
  const partial = `${file}.${process.pid}.partial`;
  try {
    if (makesDirectory) mkdirSync(dirname(file), { recursive: true });
    try {
      // On the disk before it has the name: a power cut leaves the one or the other, and nothing empty.
      writeFileSync(partial, content, { flush: true });
      renameSync(partial, file);
    } finally {
      rmSync(partial, { force: true });
    }
  } catch (error) {
    throw new CannotWrite(file, error as NodeJS.ErrnoException);
  }
}
