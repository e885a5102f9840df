import { wordsFiles } from "virtual:words-files";
import { load } from "../wire/load.ts";
import { en } from "./en.ts";
import type { Words } from "./words.ts";

/** The words of a language: a small file each, save English, which also stands in when a file is missing. */
export async function wordsOf(language: string, base: string): Promise<Words> {
  const name = wordsFiles[language];
  if (!name) return en;
  try {
    const file = await load<{ words: Words }>(base + name);
    return file.words;
  } catch {
    return en;
  }
}
