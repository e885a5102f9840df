import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { dashPages } from "./dash-pages.ts";
import { repositoryRoot } from "./program.ts";

test("the pages that a browser looks at are those of the dashboard, none left out", () => {
  const text = readFileSync(join(repositoryRoot, "dashboard/pages.ts"), "utf8");
  const paths = [...text.matchAll(/^ {4}path: "([^"]+)",$/gm)].map(([, path]) => path);
  // Each row loads one file, however its path is written.
  expect(paths).toHaveLength(text.split("import(").length - 1);
  expect(dashPages).toEqual(paths);
});
