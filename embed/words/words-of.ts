import { wordsFiles } from "virtual:words-files";
import { en } from "./en.ts";
import type { Words } from "./words.ts";

/** The words of a language: a small file each, save English, which also stands in when a file is missing. */
export async function wordsOf(language: string, base: string): Promise<Words> {
  const name = wordsFiles[language];
  if (!name) return en;
  try {
    const file: { words: Words } = await import(/* @vite-ignore */ base + name);
    return file.words;
  } catch {
    return en;
  }
}
