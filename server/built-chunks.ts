import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The chunks that the embed was built of, gzipped as they lie there, by their names; none before the first build. */
export function readBuiltChunks(embedDir: string): Map<string, Uint8Array> {
  const folder = join(embedDir, "c");
  if (!existsSync(folder)) return new Map();
  const gzipped = readdirSync(folder).filter((file) => file.endsWith(".js.gz"));
  return new Map(gzipped.map((file) => [file.slice(0, -".gz".length), readFileSync(join(folder, file))]));
}
