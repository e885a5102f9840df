import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { logEvents } from "../core/log-events.ts";

const server = join(import.meta.dirname, "..");
const page = readFileSync(join(server, "../docs/logs.md"), "utf8");

/** The lines of the page's last table. */
const documented = [...page.matchAll(/^\| `(\w+)` \| (\w+) \| (.+?) \| (.+) \|$/gm)].map(
  ([, event, level, says, todo]) => ({ event, level, says, todo }),
);

test("every event has its line in docs/logs.md, with its level and its sentence, and no other has", () => {
  const known = Object.entries(logEvents).map(([event, { level, says }]) => ({ event, level, says }));
  expect(documented.map(({ event, level, says }) => ({ event, level, says }))).toEqual(known);
  expect(documented.every(({ todo }) => todo?.endsWith("."))).toBe(true);
});

test("every level of an event is explained", () => {
  const levels = new Set<string>(Object.values(logEvents).map(({ level }) => level));
  expect([...levels].filter((level) => !page.includes(`\n| ${level} | `))).toEqual([]);
});

test("every event is told somewhere, and nothing is written past the log", () => {
  const sources = globSync("**/*.ts", { cwd: server, exclude: ["**/node_modules/**"] })
    .filter((path) => !/\.test\.ts$|for-tests|^(testing|admin)\/|log-events\.ts$/.test(path))
    .map((path) => ({ path, text: readFileSync(join(server, path), "utf8") }));
  const all = sources.map(({ text }) => text).join("\n");
  // The second form is that of a type, where whoever calls says which of two it is.
  const told = new Set(
    [...all.matchAll(/\bevent: "(\w+)"(?: \| "(\w+)")?/g)].flatMap((found) => found.slice(1)),
  );
  expect(Object.keys(logEvents).filter((event) => !told.has(event))).toEqual([]);
  const past = sources.filter(({ text }) => /\bconsole\.|process\.std(?:out|err)\.write/.test(text));
  // Two that run in processes of their own, and why a service does not start.
  const programs = ["geo/build-ranges.ts", "geo/merge-in-process.ts"];
  expect(past.map(({ path }) => path).toSorted()).toEqual([...programs, "main.ts"]);
});
