import { describe, expect, test } from "vitest";
import { repositoryRoot } from "../program.ts";
import { changelogSlips, versionSlips } from "./version-told.ts";

const part = "### What an operator does\n\n- Nothing.\n\n### What is new\n\n- A thing.\n";

describe("the version", () => {
  test("is the same in every workspace, and the changelog's newest", () => {
    expect(versionSlips(repositoryRoot)).toEqual([]);
  });

  test.each([
    ["fits while it is not released", `# Changelog\n\n## 1.2.0, unreleased\n\n${part}`, []],
    [
      "fits with its day",
      `# Changelog\n\n## 1.2.0, 2026-12-01\n\n${part}\n## 1.1.9, 2026-11-30\n\n${part}`,
      [],
    ],
    [
      "must be the newest of the changelog",
      `# Changelog\n\n## 1.1.9, 2026-11-30\n\n${part}`,
      ['the changelog begins with "1.1.9, 2026-11-30", and package.json says 1.2.0'],
    ],
    [
      "is told, and not only that something is unreleased",
      `# Changelog\n\n## Unreleased\n\n${part}`,
      ['the changelog begins with "Unreleased", and package.json says 1.2.0'],
    ],
    [
      "leaves none before it unreleased",
      `# Changelog\n\n## 1.2.0, unreleased\n\n${part}\n## 1.1.9, unreleased\n\n${part}`,
      ['"1.1.9, unreleased" is no release with its day'],
    ],
    [
      "says what an operator does",
      `# Changelog\n\n## 1.2.0, unreleased\n\n### What is new\n\n- A thing.\n`,
      ['"1.2.0, unreleased" does not say what an operator does'],
    ],
    [
      "does not say it by an empty part",
      `# Changelog\n\n## 1.2.0, unreleased\n\n### What an operator does\n\n### What is new\n\n- A thing.\n`,
      ['"1.2.0, unreleased" does not say what an operator does'],
    ],
  ])("%s", (_, changelog, slips) => {
    expect(changelogSlips(changelog, "1.2.0")).toEqual(slips);
  });
});
