import { readdirSync, readFileSync } from "node:fs";
import { endpoints } from "@offers/contract/endpoints";
import { expect, it } from "vitest";

const own = "endpoint-coverage.test.ts";
const tests = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith(".test.ts") && file !== own)
  .map((file) => ({ file, text: readFileSync(`${import.meta.dirname}/${file}`, "utf8") }));

/** `describe("GET /v1/offers"` and the like; a table of several is named by its pattern. */
const named = (path: string): string[] =>
  tests
    .filter(({ text }) => new RegExp(`describe[^\\n]*["'\`][^"'\`]*${path}["'\` ]`).test(text))
    .map(({ file }) => file);

it.each(endpoints)("a route test is about $method $path", ({ path }) => {
  const file = named(path)[0] ?? named(path.replace(/(impression|click)$/, "%s"))[0];
  expect(file, `no route test describes ${path}`).toBeDefined();
});
