import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { eventLevel, storeEvents } from "./event-level.ts";

const sources = globSync("**/*.ts", { cwd: import.meta.dirname })
  .filter((file) => !/test|event-level/.test(file))
  .map((file) => readFileSync(`${import.meta.dirname}/${file}`, "utf8"))
  .join("\n");

test("every event that the store tells has a level of its own, and no other name has one", () => {
  const told = [...sources.matchAll(/event: "([a-z]+(?:_[a-z]+)+)"/g)].map(([, name = ""]) => name);
  expect(told.length).toBeGreaterThan(20);
  expect(told.filter((name) => !storeEvents.includes(name))).toEqual([]);
  expect(storeEvents.filter((name) => !sources.includes(`"${name}"`))).toEqual([]);
});

test("an event without a name is for information", () => {
  expect(eventLevel({})).toBe("info");
  expect(eventLevel({ event: "journal_refused" })).toBe("error");
  expect(eventLevel({ event: "spool_empty" })).toBe("info");
});
