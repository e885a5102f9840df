import { join } from "node:path";

/** The `NODE_OPTIONS` by which a program is started with that module of this folder loaded before its own. */
export function preloaded(module: "shifted-clock" | "held-memory"): string {
  return `--import ${join(import.meta.dirname, `${module}.ts`)}`;
}
