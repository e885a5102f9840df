import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { fileIdentity } from "./file-identity.ts";
import type { Geo } from "./geo.ts";
import {
  currentGeoFile,
  databaseVersion,
  type GeoFiles,
  liesOnBundled,
  openCurrentGeo,
  openGeoFile,
} from "./geo-files.ts";
import { unusable } from "./merge-exit.ts";
import { type OpenGeo, openGeo } from "./open-geo.ts";

const run = promisify(execFile);
const mostRetryMs = 60 * 60_000;
const mergeProgram = fileURLToPath(new URL("./merge-in-process.ts", import.meta.url));

/** Location data that is replaced while the service answers. */
export type LiveGeo = Geo & {
  /** Looks whether there is other data, and loads it. Called by a timer; a test calls it itself. */
  look: () => Promise<void>;
  stop: () => void;
};

export type LiveGeoArgs = {
  files: GeoFiles;
  /** The data of this file answers from now on. */
  onLoaded: (file: string, geo: Geo) => void;
  /** This file cannot be used; the data before it goes on answering. */
  onRefused: (file: string, reason: string) => void;
  /** Milliseconds between two looks. */
  everyMs?: number;
  /** Milliseconds after which a database is merged again where that has failed through no fault of its own; each time twice as long. */
  retryMs?: number;
};

/**
 * Opens the location data and looks every two seconds whether it was replaced: by an update, or because the operator's
 * database is another one, which another process then merges: that takes memory which a service at rest should not
 * hold. Where one was merged before, that answers meanwhile from the start on, and nobody waits. A database is taken once
 * it stands still from one look to the next: it may be half downloaded before. Data that cannot be used leaves the data
 * before it. A database that could not be merged for a full disk, or for want of memory, is tried again by itself.
 * @throws Error when not even the data that the service comes with can be used.
 */
export async function openLiveGeo(args: LiveGeoArgs): Promise<LiveGeo> {
  const { files, onLoaded, onRefused, everyMs = 2000, retryMs = 60_000 } = args;
  const watched = files.database?.file ?? files.updated;
  let current: { file: string; geo: OpenGeo } | null = null;
  /** As the file was at the last look, and as it was when it was taken or refused; null: it was not yet. */
  let found: string | null = null;
  let seen: string | null = null;
  /** What was told last of the file as it was seen; null: nothing. */
  let told: string | null = null;
  let retryAt = Number.POSITIVE_INFINITY;
  let waitMs = retryMs;
  const use = (file: string, geo: OpenGeo): void => {
    current = { file, geo };
    onLoaded(file, geo);
  };
  const look = async (): Promise<void> => {
    const { is, trouble } = fileIdentity(watched);
    const isStill = files.database === null || found === null || is === found;
    found = is;
    if (!isStill || (is === seen && performance.now() < retryAt)) return;
    const wasRefused = told !== null;
    if (is !== seen) {
      told = null;
      waitMs = retryMs;
    }
    seen = is;
    retryAt = Number.POSITIVE_INFINITY;
    try {
      if (trouble !== null) throw new Error(trouble);
      if (files.database !== null) {
        const version = await databaseVersion(files.database.file);
        // As after a start whose database is the one that was merged before, or where that has come back after another one.
        if (current?.file === files.database.merged && isOf(current.geo, version, files)) {
          if (wasRefused) onLoaded(current.file, current.geo);
          return;
        }
        await merge(version, files.bundled, files.database);
      }
      const file = currentGeoFile(files);
      use(file, openGeoFile(file, files));
    } catch (error) {
      if (error instanceof NotMerged) {
        retryAt = performance.now() + waitMs;
        waitMs = Math.min(2 * waitMs, mostRetryMs);
      }
      const reason = error instanceof Error ? error.message : String(error);
      if (reason !== told) onRefused(watched, reason);
      told = reason;
    }
  };
  let running: Promise<void> | null = null;
  const lookBehind = (): Promise<void> => {
    running ??= look().finally(() => {
      running = null;
    });
    return running;
  };
  const before = openMergedBefore(files);
  if (before !== null) {
    use(before.file, before.geo);
    void lookBehind();
  } else {
    await look();
    if (current === null) {
      const { file, geo } = openCurrentGeo(files);
      use(file, geo);
    }
  }
  const timer = setInterval(() => void lookBehind(), everyMs);
  timer.unref();
  const now = (): OpenGeo => {
    if (current === null) throw new Error("the location data is not open");
    return current.geo;
  };
  return {
    locate: (address) => now().locate(address),
    find: (address) => now().find(address),
    sources: () => now().sources(),
    look: async () => {
      await running;
      await lookBehind();
    },
    stop: () => clearInterval(timer),
  };
}

/** What the operator's database was merged into last, by this release or the one before; null: nothing that can be used. */
function openMergedBefore({ database }: GeoFiles): { file: string; geo: OpenGeo } | null {
  if (database === null) return null;
  try {
    return { file: database.merged, geo: openGeo(database.merged) };
  } catch {
    return null;
  }
}

/** Merges the operator's database of that version, unless that was done: the same content on top of the same data. */
async function merge(
  version: string,
  bundled: string,
  { file, merged }: { file: string; merged: string },
): Promise<void> {
  if (isMerged(version, merged, bundled)) return;
  await run(process.execPath, [mergeProgram, file, merged, bundled]).catch(
    ({ stderr, message, code, signal }: Ended) => {
      // What the engine says as its memory runs out is another text each time.
      if (signal) throw new NotMerged(`the merging was ended by ${signal}, as where memory runs out`);
      throw code === unusable ? new Error(stderr) : new NotMerged(stderr || message);
    },
  );
}

/** How a process ended, as `execFile` tells it. */
type Ended = { message: string; stderr?: string; code?: number | string | null; signal?: string | null };

/** A database could not be merged, which says nothing of the database: the disk was full, or the process was ended. */
class NotMerged extends Error {
  override readonly name = "NotMerged";
}

function isMerged(version: string, merged: string, bundled: string): boolean {
  try {
    return isOf(openGeo(merged), version, { bundled });
  } catch {
    return false;
  }
}

/** Whether data was made of that version of the operator's database, on top of the data that comes with the service. */
function isOf(geo: OpenGeo, version: string, files: Pick<GeoFiles, "bundled">): boolean {
  return geo.sources()[0]?.version === version && liesOnBundled(geo, files);
}
