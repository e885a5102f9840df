import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { migrations } from "./both-engines.ts";

describe("the steps of the layout", () => {
  test("are named by the changelog, and said to close where they do", () => {
    const closing = Object.entries(migrations).flatMap(([name, { postgres }]) =>
      postgres.oldestProgram === Number.parseInt(name, 10) ? [name.slice(0, 4)] : [],
    );
    const steps = readdirSync(import.meta.dirname).flatMap((file) => {
      const number = /^\d{4}/.exec(file)?.[0];
      return number === undefined ? [] : [{ number, closes: closing.includes(number) }];
    });
    expect(steps.length).toBeGreaterThanOrEqual(32);
    expect(closing).toContain("0026");
    const slips = layoutSlips(
      readFileSync(join(import.meta.dirname, "../../../CHANGELOG.md"), "utf8"),
      steps,
    );
    expect(slips).toEqual([]);
  });

  const steps = [
    { number: "0001", closes: false },
    { number: "0002", closes: true },
    { number: "0003", closes: false },
  ];
  const of = (...parts: [string, string][]): string =>
    `# Changelog\n\n${parts.map(([heading, line]) => `## ${heading}\n\n- Nothing.\n${line}\n`).join("\n")}`;
  const first: [string, string] = [
    "1.0.0, 2026-01-01",
    "- Layout: 0001 to 0002. 0002 closes the database to all.",
  ];

  test.each<[string, string, readonly string[]]>([
    ["all of them, in two parts", of(["1.1.0, unreleased", "- Layout: 0003. Roll."], first), []],
    [
      "all in one part, before one without",
      of(
        ["1.2.0, unreleased", "- Layout: no step."],
        ["1.1.0, 2026-02-01", "- Layout: 0001 to 0003. 0002 closes the database."],
      ),
      [],
    ],
    [
      "not the newest",
      of(["1.1.0, unreleased", "- Layout: no step."], first),
      ['name 0003 in the line "- Layout: …" of "1.1.0, unreleased"'],
    ],
    [
      "none",
      of(["1.1.0, unreleased", "- Lay out."], first),
      [
        '"1.1.0, unreleased" has no line "- Layout: no step.", "- Layout: 0041." or "- Layout: 0041 to 0043. …"',
        'name 0003 in the line "- Layout: …" of "1.1.0, unreleased"',
      ],
    ],
    [
      "one that closes as if it did not",
      of(["1.0.0, unreleased", "- Layout: 0001 to 0003. Roll."]),
      ['say in the line that names 0002, "0002 closes the database on PostgreSQL to …"'],
    ],
  ])("%s", (_, changelog, slips) => {
    expect(layoutSlips(changelog, steps)).toEqual(slips);
  });
});

/** A step of the layout, by the four digits that its file begins with. */
type LayoutStep = {
  number: string;
  /** Whether programs of before it, on PostgreSQL, record nothing more from then on. */
  closes: boolean;
};

/**
 * What a changelog leaves out of the layout's steps, as what to write; nothing where it names all of them. Each part has one line
 * `- Layout: …`, by which an operator decides how to go on and back. The parts are the newest first, as in the file.
 */
const layoutSlips = (changelog: string, steps: readonly LayoutStep[]): string[] => {
  const [, ...texts] = changelog.split(/^## /m);
  const parts = texts.map((text) => ({
    heading: text.split("\n", 1)[0] ?? "",
    line: /^- Layout: .*$/m.exec(text)?.[0] ?? "",
  }));
  const newest = parts[0]?.heading ?? "";
  const named = parts.map(({ line }) => ({ line, names: stepsIn(line) }));
  const lineless = parts.flatMap(({ heading }, at) =>
    (named[at]?.names ?? null) === null
      ? [`"${heading}" has no line "- Layout: no step.", "- Layout: 0041." or "- Layout: 0041 to 0043. …"`]
      : [],
  );
  return [
    ...lineless,
    ...steps.flatMap(({ number, closes }) => {
      const of = named.find(({ names }) => names?.(number) === true);
      if (of === undefined) return [`name ${number} in the line "- Layout: …" of "${newest}"`];
      if (!closes || of.line.includes(`${number} closes `)) return [];
      return [`say in the line that names ${number}, "${number} closes the database on PostgreSQL to …"`];
    }),
  ];
};

/** Whether a line names a step; null: it is no such line. */
const stepsIn = (line: string): ((number: string) => boolean) | null => {
  if (/^- Layout: no step\./.test(line)) return () => false;
  const [, first, last = first] = /^- Layout: (\d{4})(?: to (\d{4}))?\./.exec(line) ?? [];
  if (first === undefined || last === undefined) return null;
  return (number) => first <= number && number <= last;
};
