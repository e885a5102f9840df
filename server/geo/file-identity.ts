import { statSync } from "node:fs";

/** What tells a file from another one of its name without reading it. */
export type FileIdentity = {
  /** `""` for no file. */
  is: string;
  /** Why the system does not say; null: it does. */
  trouble: string | null;
};

export function fileIdentity(file: string): FileIdentity {
  try {
    const stat = statSync(file, { throwIfNoEntry: false });
    return { is: stat === undefined ? "" : `${stat.ino} ${stat.size} ${stat.mtimeMs}`, trouble: null };
  } catch (error) {
    const trouble = error instanceof Error ? error.message : String(error);
    return { is: trouble, trouble };
  }
}
