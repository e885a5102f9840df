import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Door } from "./door.ts";
import { dumpTables } from "./dump.ts";

/** What must stand nowhere: texts, and what all texts of a kind look like. */
export type Traces = Record<string, string | RegExp>;

/**
 * Where something that must be nowhere stands: in the files of the service and of its database, logs of commits included, in its
 * tables, and in all that it has logged.
 */
export async function findTraces(door: Door, traces: Traces): Promise<string[]> {
  const found = new Set<string>();
  const look = (where: string, text: string): void => {
    for (const [name, trace] of Object.entries(traces)) {
      const hit = typeof trace === "string" ? text.includes(trace) : trace.exec(text)?.[0];
      if (hit) found.add(`${name} in ${where}${hit === true ? "" : `: ${hit}`}`);
    }
  };
  for (const directory of new Set([door.service.dataDir, door.databaseDir])) {
    const entries = await readdir(directory, { recursive: true, withFileTypes: true });
    for (const entry of entries.filter((one) => one.isFile())) {
      // A file may be gone by now: a log of commits that is not needed any more.
      const text = await readFile(join(entry.parentPath, entry.name), "latin1").catch(() => "");
      look(entry.name, text);
    }
  }
  for (const [name, text] of await dumpTables(door.service)) look(`table ${name}`, text);
  look("the log", door.wholeLog());
  return [...found];
}
