import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The release that a checkout is, or is to become. */
export function versionOf(root: string): string {
  return manifestAt(root, ".").version;
}

/**
 * What is wrong with how a checkout tells its version; nothing where it may become a release. All workspaces have the one
 * of the root, since the embed writes its own into what it builds. The changelog begins with that version, unreleased or
 * with its day, and each release has a part for those who operate it.
 */
export function versionSlips(root: string): string[] {
  const { version, workspaces } = manifestAt(root, ".");
  const others = workspaces.flatMap((name) => {
    const { version: own } = manifestAt(root, name);
    return own === version ? [] : [`${name}/package.json says ${own}, package.json ${version}`];
  });
  return [...others, ...changelogSlips(readFileSync(join(root, "CHANGELOG.md"), "utf8"), version)];
}

/** The same of a changelog alone. */
export function changelogSlips(changelog: string, version: string): string[] {
  const [, ...releases] = changelog.split(/^## /m);
  const [newest = ""] = headingsOf(releases);
  const slips = headingsOf(releases)
    .slice(1)
    .filter((heading) => !/^\d+\.\d+\.\d+, \d{4}-\d\d-\d\d$/.test(heading))
    .map((heading) => `"${heading}" is no release with its day`);
  const isNewest =
    newest === `${version}, unreleased` ||
    new RegExp(`^${escaped(version)}, \\d{4}-\\d\\d-\\d\\d$`).test(newest);
  if (!isNewest) slips.unshift(`the changelog begins with "${newest}", and package.json says ${version}`);
  for (const release of releases) {
    const [heading = ""] = headingsOf([release]);
    const part = /^### What an operator does\n([\s\S]*?)(?=^### |(?![\s\S]))/m.exec(release)?.[1] ?? "";
    if (!/^- \S/m.test(part)) slips.push(`"${heading}" does not say what an operator does`);
  }
  return slips;
}

const headingsOf = (releases: readonly string[]): string[] =>
  releases.map((release) => release.split("\n", 1)[0] ?? "");

const escaped = (text: string): string => text.replaceAll(".", "\\.");

const manifestAt = (root: string, folder: string): { version: string; workspaces: string[] } =>
  JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
