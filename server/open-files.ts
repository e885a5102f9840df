import { readFileSync } from "node:fs";
import { mostOfAll } from "./http/server-limits.ts";

/**
 * What a process needs beside the connections of visitors: its doors, the database, its threads, metrics, and what is
 * opened now and then, such as the desk's thread. At rest it has some 170 files open.
 */
const filesBeside = 256;
/** With fewer nobody would be served, so that they may take what is kept for the rest. */
const fewestConnections = 32;

/**
 * How many connections a process may take, by its limit on open files. Above that limit the system would end them
 * unasked, no file could be opened and no thread started. A connection is one file, since no request opens another
 * (decisions.md#files-in-memory).
 */
export const connectionsWithin = (openFiles: number): number =>
  Math.min(mostOfAll, Math.max(fewestConnections, openFiles - filesBeside));

/** How many files this process may have open; infinite where the system does not tell (it is Linux that does). */
export function openFileLimit(proc = "/proc"): number {
  try {
    const limits = readFileSync(`${proc}/self/limits`, "utf8");
    return Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
