import { statSync } from "node:fs";

/** Tells a file from another one of its name without reading it; `""` for none. */
export function fileIdentity(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat === undefined ? "" : `${stat.ino} ${stat.size} ${stat.mtimeMs}`;
}
