import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { repositoryRoot } from "./program.ts";

const read = (file: string): string => readFileSync(join(repositoryRoot, file), "utf8");
const lists = read("CONTRIBUTING.md").replaceAll(/```[\s\S]*?```/g, "");
const asked = ["ls-files", "--cached", "--others", "--exclude-standard"];
const listed = spawnSync("git", asked, { cwd: repositoryRoot, encoding: "utf8" });
// Without git there is no text, and a file that was removed is listed until that is staged.
const files = (listed.stdout ?? "")
  .split("\n")
  .filter((file) => file !== "" && existsSync(join(repositoryRoot, file)));

/** The files that a name may mean: whole, or by its end where a list has named the folder before. */
const meantBy = (name: string): string[] => {
  // `00NN` is a number that a step of the schema has yet to get.
  const pattern = name.replaceAll(".", "\\.").replace("00NN-what", "00*").replaceAll(/[*…]/g, "[^/]*");
  const meant = new RegExp(`(?:^|/)${pattern}`);
  return files.filter((file) => meant.test(file));
};

test.skipIf(listed.status !== 0)("every file and folder that the lists name is there", () => {
  const isFile = /^[\w./*…-]+\.(?:ts|tsx|css|json|md|yml)$/;
  const folders = new Set(files.map((file) => file.split("/")[0]));
  const named = [...lists.matchAll(/`([^`\s]+)`/g)].flatMap(([, name = ""]) =>
    isFile.test(name) || folders.has(name.split("/")[0]) ? [name] : [],
  );
  expect(named.length).toBeGreaterThan(200);
  expect(named.filter((name) => meantBy(name).length === 0)).toEqual([]);
});

test.skipIf(listed.status !== 0)("whatever a list calls by its name is in the file that it names", () => {
  const named = [...lists.matchAll(/`([\w.]+)`\s+(?:of|in)\s+`([\w./-]+\.tsx?)`/g)];
  expect(named.length).toBeGreaterThan(30);
  const missing = named.filter(
    ([, name = "", file = ""]) =>
      !meantBy(file).some((one) => read(one).includes(name.split(".").at(-1) ?? name)),
  );
  expect(missing.map(([said]) => said)).toEqual([]);
});
