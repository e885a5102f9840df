import { createHash } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
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

/** Opens the current file; what the service comes with, where that one cannot be used. */
export function openCurrentGeo(files: GeoFiles): { file: string; geo: OpenGeo } {
  const file = currentGeoFile(files);
  try {
    return { file, geo: openGeo(file) };
  } catch (error) {
    if (file === files.bundled) throw error;
    return { file: files.bundled, geo: openGeo(files.bundled) };
  }
}

/** What tells an operator's database from another one: the beginning of its SHA-256, in hexadecimal. */
export async function databaseVersion(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex").slice(0, 16);
}
