import { afterEach, expect, test, vi } from "vitest";
import { readTag } from "../loader/read-tag.ts";
import { words as de } from "../words/de.ts";
import { en } from "../words/en.ts";
import type { Speech } from "./speech.ts";

let isLost = false;
vi.mock("virtual:words-files", () => ({ wordsFiles: { ar: "c/1.js", de: "c/2.js" } }));
vi.mock("../words/words-of.ts", () => ({
  wordsOf: async (language: string) =>
    isLost || language !== "de" ? { language: "en", words: en } : { language, words: de },
}));
const { speech } = await import("./speech.ts");

afterEach(() => {
  vi.unstubAllGlobals();
  isLost = false;
});

/** How a visitor of a page is spoken to, by what its tag, the website, the page and the browser say of the language. */
const spokenTo = async (said: { tag?: string; website?: string; page?: string; browser?: string[] }) => {
  vi.stubGlobal("document", { documentElement: { lang: said.page ?? "", dir: "" } });
  vi.stubGlobal("navigator", { languages: said.browser ?? ["en"] });
  const words = { heading: "Ours", de: { heading: "Unsere" } };
  const tag = readTag(
    "https://offers.example/embed.js",
    { pub: "pub_a", website: "ws_a", words, ...(said.tag && { lang: said.tag }) },
    "",
  );
  if (!tag) throw new Error("the tag is complete");
  return speech(tag, said.website ?? "");
};

test.each<[string, Parameters<typeof spokenTo>[0], Speech["language"], string | undefined]>([
  ["is that of a page that the widget has words for", { page: "de-AT" }, "de", undefined],
  ["is another one on a page that it has none for", { page: "sv", browser: ["de"] }, "de", "sv"],
  ["is not known where nobody has said it", { browser: ["de"] }, "de", undefined],
  ["is that of the tag before the page's", { tag: "de", page: "sv" }, "de", undefined],
  ["is that of the website's setting before the page's", { website: "de", page: "sv" }, "de", undefined],
])("the language of a publisher's own texts %s", async (_name, said, language, own) => {
  const spoken = await spokenTo(said);
  expect([spoken.language, spoken.langOf("Willkommen"), spoken.langOf("")]).toEqual([
    language,
    own,
    undefined,
  ]);
});

test("whose words are lost is spoken to in English, and nothing says that it is another language", async () => {
  isLost = true;
  const { language, words, langOf } = await spokenTo({ page: "de" });
  expect([language, words.heading, langOf("Willkommen")]).toEqual(["en", "Ours", "de"]);
});
