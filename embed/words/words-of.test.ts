import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { words as ar } from "./ar.ts";
import { en } from "./en.ts";

/** What becomes of the file that is asked for. */
let file: Promise<unknown> = Promise.resolve();
const asked: string[] = [];
vi.mock("virtual:words-files", () => ({ wordsFiles: { ar: "c/1.js" } }));
vi.mock("../wire/load.ts", () => ({
  load(address: string) {
    asked.push(address);
    return file;
  },
}));
const { wordsOf } = await import("./words-of.ts");

const base = "https://offers.example/";

beforeEach(() => {
  vi.useFakeTimers();
  asked.length = 0;
});
afterEach(() => {
  vi.useRealTimers();
});

test("the words of a language are those of its file", async () => {
  file = Promise.resolve({ words: ar });
  expect(await wordsOf("ar", base)).toEqual({ language: "ar", words: ar });
  expect(asked).toEqual([`${base}c/1.js`]);
});

test("English has no file", async () => {
  expect(await wordsOf("en", base)).toEqual({ language: "en", words: en });
  expect(asked).toEqual([]);
});

test("a file that fails leaves English, and says so", async () => {
  file = Promise.reject(new Error("no such file"));
  expect(await wordsOf("ar", base)).toEqual({ language: "en", words: en });
});

test("a file that hangs is waited for a second and a half", async () => {
  file = new Promise(() => {});
  const spoken = vi.fn();
  const waiting = wordsOf("ar", base).then(spoken);
  await vi.advanceTimersByTimeAsync(1499);
  expect(spoken).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  await waiting;
  expect(spoken).toHaveBeenCalledWith({ language: "en", words: en });
});
