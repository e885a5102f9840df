import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { dashChunkName } from "./routes/dash/files.ts";

/**
 * What the embed and the dashboard were built of, gzipped as it lies there, by the names that it is kept under; none before
 * the first build.
 */
export function readBuiltChunks({
  embedDir,
  dashboardDir,
}: {
  embedDir: string;
  dashboardDir: string;
}): Map<string, Uint8Array> {
  return new Map([
    ...gzippedIn(join(embedDir, "c"), (file) => file),
    ...gzippedIn(join(dashboardDir, "a"), dashChunkName),
  ]);
}

const gzippedIn = (folder: string, nameOf: (file: string) => string): [string, Uint8Array][] => {
  if (!existsSync(folder)) return [];
  const gzipped = readdirSync(folder).filter((file) => file.endsWith(".gz"));
  return gzipped.map((file) => [nameOf(file.slice(0, -".gz".length)), readFileSync(join(folder, file))]);
};
