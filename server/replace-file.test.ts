import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { CannotWrite, replaceFile } from "./replace-file.ts";

vi.mock(import("node:fs"), async (original) => {
  const fs = await original();
  return { ...fs, writeFileSync: vi.fn(fs.writeFileSync), renameSync: vi.fn(fs.renameSync) };
});

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

test("its content is on the disk before it has the name", () => {
  const file = join(folder, "list.txt");
  vi.mocked(writeFileSync).mockClear();
  replaceFile(file, "after");
  expect(writeFileSync).toHaveBeenCalledExactlyOnceWith(expect.any(String), "after", { flush: true });
  expect(writeFileSync).toHaveBeenCalledBefore(vi.mocked(renameSync));
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
