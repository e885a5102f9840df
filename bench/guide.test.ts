import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { inheritedEnvironment, repositoryRoot } from "./program.ts";
import { runShell } from "./run-shell.ts";
import { startService } from "./service.ts";

const guide = readFileSync(join(repositoryRoot, "docs/guide.md"), "utf8");
const blocks = [...guide.matchAll(/```(sh|json)\n([\s\S]*?)```/g)].map(([, kind = "", text = ""]) => ({
  kind,
  text,
}));
const hasCurl = spawnSync("curl", ["--version"]).status === 0;

describe("the guide", () => {
  test.skipIf(!hasCurl)(
    "runs as it stands, and shows answers of the shape that really comes",
    async () => {
      const service = await startService({ environment: { SEED_DEMO: "true", DEMO_PORT: "8788" } });
      try {
        const outputs = await runBlocks(service.url, service.dataDir);
        const shown = blocks.flatMap(({ kind, text }, at) =>
          kind === "json" ? [{ shown: text, real: outputs[commandsBefore(at) - 1] ?? "" }] : [],
        );
        expect(shown.length).toBeGreaterThan(3);
        for (const { shown: example, real } of shown) {
          expect(shapeOf(JSON.parse(real))).toEqual(shapeOf(JSON.parse(example)));
        }
      } finally {
        await service.stop();
      }
    },
    90_000,
  );
});

const commandsBefore = (at: number): number => blocks.slice(0, at).filter(({ kind }) => kind === "sh").length;

const mark = "---- end of a block ----";

/** One shell for all blocks, as a reader would have it; what each block printed. */
const runBlocks = async (url: string, dataDir: string): Promise<string[]> => {
  const script = blocks
    .filter(({ kind }) => kind === "sh")
    .map(({ text }) => `${text}\necho; echo "${mark}"`)
    .join("\n");
  const out = await runShell(script, {
    ...inheritedEnvironment(),
    BASE: url,
    PORT: new URL(url).port,
    DATA_DIR: dataDir,
  });
  return out.split(mark).map((text) => text.trim());
};

/** Names and types, not values: those are of their moment. */
const shapeOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (typeof value !== "object" || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shapeOf(member)]));
};
