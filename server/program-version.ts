import { readFileSync } from "node:fs";

/** The release that this program is (docs/releases.md). */
export function readProgramVersion(): string {
  const manifest: { version: string } = JSON.parse(
    readFileSync(new URL("../package.json", import.meta.url), "utf8"),
  );
  return manifest.version;
}
