import { realpathSync } from "node:fs";

/** Where a database lies that is named by a link: SQLite keeps its log, and the memory for that, beside the file itself. */
export function realFile(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    // There is none yet, or the system does not let it be looked at.
    return file;
  }
}
