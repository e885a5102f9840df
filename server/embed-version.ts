import { readFileSync } from "node:fs";

/** The version of the script that the service hands out: the embed's own, which its build writes into it. */
export function readEmbedVersion(): string {
  const manifest: unknown = JSON.parse(
    readFileSync(new URL("../embed/package.json", import.meta.url), "utf8"),
  );
  const { version } = Object(manifest) as Record<string, unknown>;
  return typeof version === "string" ? version : "";
}
