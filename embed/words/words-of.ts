import { wordsFiles } from "virtual:words-files";
import { load } from "../wire/load.ts";
import { en } from "./en.ts";
import type { Words } from "./words.ts";

/** How long a file of words may take, in milliseconds: nothing opens before it is known what to say. */
const patienceMs = 1500;

/**
 * The words of a language, a small file each, and which language they are in: English, which is always there, stands in
 * when a file is missing or does not come in time.
 */
export async function wordsOf(language: string, base: string): Promise<{ language: string; words: Words }> {
  const name = wordsFiles[language];
  if (name) {
    const file = await Promise.race([
      load<{ words: Words }>(base + name).catch(() => null),
      new Promise<null>((resolve) => setTimeout(resolve, patienceMs, null)),
    ]);
    if (file) return { language, words: file.words };
  }
  return { language: "en", words: en };
}
