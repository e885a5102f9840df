import { statSync } from "node:fs";

/** What tells a file from another one of its name, or from itself with other rights, without reading it. */
export type FileIdentity = {
  /** `""` for no file. */
  is: string;
  /** Why the system does not say; null: it does. */
  trouble: string | null;
};

export function fileIdentity(file: string): FileIdentity {
  try {
    const stat = statSync(file, { throwIfNoEntry: false });
    if (stat === undefined) return { is: "", trouble: null };
    // That of its rights as well: one that could not be read is looked at again once it can.
    return { is: `${stat.ino} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs}`, trouble: null };
  } catch (error) {
    const trouble = error instanceof Error ? error.message : String(error);
    return { is: trouble, trouble };
  }
}
