/**
 * So many pages, told apart by host and version of the script, are kept of a website's hour, the first ones. A script may make
 * up versions without end, and hosts where a wildcard is registered: what comes beyond is counted and not told apart.
 */
export const pingedPagesKept = 200;

/** Stands for all pages of an hour beyond those that are kept: no page has an empty host. */
export const otherPages = { host: "", url: "", scriptVersion: "" } as const;

/** What is kept of a ping's page, under the origin that the browser vouches for. */
export type NotedPage = { host: string; url: string; scriptVersion: string };

/** Stands in an address for the rest of its path. */
export const cutPath = "…";

/**
 * What a ping tells of its page. An address elsewhere than at the origin is not kept, for the dashboard would name a stranger's
 * page, nor what in its path may name a visitor (decisions.md#pings-by-the-hour), nor a version that no build of
 * ours has: three numbers.
 * @param origin the canonical origin of the page, as the browser says.
 * @param told what the page says of itself.
 */
export function notedPage(
  origin: string,
  told: { url: string | undefined; scriptVersion: string | undefined },
): NotedPage {
  const { url = origin, scriptVersion = "" } = told;
  return {
    host: origin.slice(origin.indexOf("://") + 3),
    url: url === origin || url.startsWith(`${origin}/`) ? withoutNames(url, origin) : origin,
    scriptVersion: /^\d{1,4}\.\d{1,4}\.\d{1,4}$/.test(scriptVersion) ? scriptVersion : "",
  };
}

/** The address up to the first segment of its path that may name a visitor, or what is one's alone. */
const withoutNames = (url: string, origin: string): string => {
  const segments = url.slice(origin.length + 1).split("/");
  const named = segments.findIndex(mayName);
  return named === -1 ? url : [origin, ...segments.slice(0, named), cutPath].join("/");
};

/** An address of mail, a number of a customer, an order or a telephone, or a token. */
const mayName = (segment: string): boolean => {
  // What is escaped are letters with accents, blanks and the like.
  const plain = segment.replaceAll(/%(?!40)[\da-f]{2}/gi, "-");
  return /@|%40|\d{6}/i.test(plain) || (plain.length >= 16 && plain.split(/[^A-Za-z0-9]/).some(isOfToken));
};

/** Eight characters together of letters and digits; words, years and short names of products are not. */
const isOfToken = (word: string): boolean => word.length >= 8 && /[A-Za-z]/.test(word) && /\d/.test(word);
