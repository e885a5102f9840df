import { existsSync, realpathSync } from "node:fs";

/** Where a database lies that is named by a link: SQLite keeps its log, and the memory for that, beside the file itself. */
export function realFile(file: string): string {
  return existsSync(file) ? realpathSync(file) : file;
}
