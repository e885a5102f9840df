import { readFileSync } from "node:fs";

/** The version of the program that runs, by its own file. */
export function readProgramVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL("./package.json", import.meta.url), "utf8"));
  const { version } = Object(manifest) as Record<string, unknown>;
  return typeof version === "string" ? version : "";
}
