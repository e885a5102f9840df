import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { CannotWrite, replaceFile } from "./replace-file.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "replace-file-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

test("a file is replaced, and nothing else is left", () => {
  const file = join(folder, "list.txt");
  writeFileSync(file, "before");
  replaceFile(file, "after");
  expect(readFileSync(file, "utf8")).toBe("after");
  expect(readdirSync(folder)).toEqual(["list.txt"]);
});

test("a directory is made for whoever wants it alone", () => {
  const file = join(folder, "lists", "list.txt");
  expect(() => replaceFile(file, "one")).toThrow(
    expect.objectContaining({ name: "CannotWrite", code: "ENOENT" }),
  );
  expect(readdirSync(folder)).toEqual([]);
  replaceFile(file, "one", { makesDirectory: true });
  expect(readFileSync(file, "utf8")).toBe("one");
});

test("what cannot be replaced stays, and nothing beside it", () => {
  const taken = join(folder, "taken");
  mkdirSync(taken);
  writeFileSync(join(taken, "kept"), "");
  expect(() => replaceFile(taken, "one")).toThrow(CannotWrite);
  expect(readdirSync(folder)).toEqual(["taken"]);
  expect(readdirSync(taken)).toEqual(["kept"]);
});
