import { createHash } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { isDeepStrictEqual } from "node:util";
import { type OpenGeo, openGeo, rangesFile } from "./open-geo.ts";

/** Where a service's location data may be. */
export type GeoFiles = {
  /** What the service comes with. */
  bundled: string;
  /** What `admin geo update` writes. */
  updated: string;
  /** The operator's own database, by the setting `GEO_DATABASE`, and the file that it is merged into; null: none. */
  database: { file: string; merged: string } | null;
};

export function geoFilesOf(config: { dataDir: string; geoDatabase: string | null }): GeoFiles {
  const { dataDir, geoDatabase } = config;
  return {
    bundled: rangesFile,
    updated: join(dataDir, "geo", "updated.bin"),
    database:
      geoDatabase === null ? null : { file: geoDatabase, merged: join(dataDir, "geo", "database.bin") },
  };
}

/**
 * The file that every process of a service locates by, the operator's commands as well as the server: the operator's
 * database as it was last merged, else what an update wrote, else what the service comes with.
 */
export function currentGeoFile({ bundled, updated, database }: GeoFiles): string {
  const own = database === null ? updated : database.merged;
  return existsSync(own) ? own : bundled;
}

/**
 * Opens one of the files.
 * @throws Error when it cannot be used, with what to do about it.
 */
export function openGeoFile(file: string, { updated, database }: GeoFiles): OpenGeo {
  if (file === updated) return openGeo(file, "`admin geo update` writes it anew");
  if (file === database?.merged) return openGeo(file, "A service that starts merges `GEO_DATABASE` anew");
  return openGeo(file);
}

export type CurrentGeo = {
  file: string;
  geo: OpenGeo;
  /** Why the file cannot be used that would answer; null: it can. */
  refused: string | null;
};

/** Opens the current file; what the service comes with, where that one cannot be used. */
export function openCurrentGeo(files: GeoFiles): CurrentGeo {
  const file = currentGeoFile(files);
  try {
    return { file, geo: openGeoFile(file, files), refused: null };
  } catch (error) {
    if (file === files.bundled) throw error;
    const refused = error instanceof Error ? error.message : String(error);
    return { file: files.bundled, geo: openGeo(files.bundled), refused };
  }
}

/** Whether what lies under an operator's database is what the service comes with. */
export function liesOnBundled(geo: OpenGeo, { bundled }: Pick<GeoFiles, "bundled">): boolean {
  return isDeepStrictEqual(geo.sources().slice(1), openGeo(bundled).sources());
}

/** What tells an operator's database from another one: the beginning of its SHA-256, in hexadecimal. */
export async function databaseVersion(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex").slice(0, 16);
}
