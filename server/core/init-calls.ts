import { type Hold, holdOf } from "./held-script.ts";
import type { ElementTag } from "./page-tags.ts";

/** A call of `init` in a page's own script, as far as its text tells: null is what it does not say, or says by a variable. */
export type InitCall = {
  pub: string | null;
  website: string | null;
  /** The script that it stands in, with what keeps a browser from running that. */
  script: ElementTag;
  hold: Hold | null;
};

/** A call says what it says in so many characters, its own words for the widget included. */
const longestCall = 4096;
/** More calls, and more scripts that speak of one, no page has that people made. */
const callsMost = 50;

/** What a page can call the script's function: a longer name, or one with other signs, is none that its scripts could write. */
const isFunctionName = /^[\p{ID_Start}$_][\p{ID_Continue}$]{0,99}$/u;

/**
 * The calls of `init` that stand in the scripts of a page, by the name of the page's function. The page is read once for each
 * name, however many of its tags have that name.
 */
export function readInitCalls(elements: readonly ElementTag[]): (functionName: string) => InitCall[] {
  const known = new Map<string, InitCall[]>();
  return (functionName) => {
    const calls =
      known.get(functionName) ?? (isFunctionName.test(functionName) ? callsOf(elements, functionName) : []);
    known.set(functionName, calls);
    return calls;
  };
}

const callsOf = (elements: readonly ElementTag[], functionName: string): InitCall[] => {
  const calls: InitCall[] = [];
  for (const script of elements) {
    const text = script.name === "script" ? textOf(script) : "";
    if (!text.includes(functionName)) continue;
    const hold = holdOf(script.attributes);
    for (const found of text.matchAll(/(["'`])init\1\s{0,20},/g)) {
      if (calls.length >= callsMost) return calls;
      const said = text.slice(found.index, found.index + longestCall);
      const next = said.indexOf(found[0], found[0].length);
      const own = next < 0 ? said : said.slice(0, next);
      calls.push({ pub: memberOf(own, "pub"), website: memberOf(own, "website"), script, hold });
    }
  }
  return calls;
};

/** What a script without an address says; some optimisers write it as an address of its own. */
const textOf = ({ attributes, text }: ElementTag): string => {
  const address = [...attributes].find(([name, value]) => name.endsWith("src") && value !== "")?.[1];
  if (address === undefined) return text;
  const [, base64, data = ""] = /^data:[\w/;=-]*?(;base64)?,(.*)$/s.exec(address.slice(0, longestData)) ?? [];
  try {
    return base64 === undefined ? decodeURIComponent(data) : atob(data);
  } catch {
    return "";
  }
};

const longestData = 100_000;

const memberOf = (said: string, name: "pub" | "website"): string | null =>
  new RegExp(`[{,\\s"']${name}["']?\\s{0,20}:\\s{0,20}(["'\`])([\\w-]{1,100})\\1`).exec(said)?.[2] ?? null;
