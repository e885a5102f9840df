import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { eventLevel, storeEvents } from "./event-level.ts";

const sources = globSync("**/*.ts", { cwd: import.meta.dirname })
  .filter((file) => !/test|event-level/.test(file))
  .map((file) => readFileSync(`${import.meta.dirname}/${file}`, "utf8"));

test("every event that the store tells has a level of its own, and no other name has one", () => {
  const told = sources.flatMap((text) =>
    [...text.matchAll(/(?:event: |lose\(\w+, |: )"([a-z]+(?:_[a-z]+)+)"/g)].map(([, name]) => name),
  );
  const certain = sources.flatMap((text) =>
    [...text.matchAll(/event: "([a-z]+(?:_[a-z]+)+)"/g)].map(([, name]) => name),
  );
  expect(certain.filter((name) => name !== undefined && !storeEvents.includes(name))).toEqual([]);
  expect(storeEvents.filter((name) => !told.includes(name))).toEqual([]);
});

test("an event without a name is for information", () => {
  expect(eventLevel({})).toBe("info");
  expect(eventLevel({ event: "journal_refused" })).toBe("error");
  expect(eventLevel({ event: "spool_empty" })).toBe("info");
});
