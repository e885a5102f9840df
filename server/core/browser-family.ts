/**
 * The browsers that are told from one another. Tables keep their numbers, from 1 in this order: a new one is appended,
 * never put between.
 */
const browserFamilies = ["chrome", "edge", "firefox", "opera", "safari", "samsung"] as const;
type BrowserFamily = (typeof browserFamilies)[number];

/** Asked in this order: nearly all of them also call themselves Chrome and Safari. */
const marks: readonly [BrowserFamily, RegExp][] = [
  ["edge", /\bEdg(?:e|A|iOS)?\//],
  ["opera", /\b(?:OPR|OPiOS|OPT)\//],
  ["samsung", /\bSamsungBrowser\//],
  ["firefox", /\b(?:Firefox|FxiOS)\//],
  ["chrome", /\b(?:Chrome|CriOS)\//],
  ["safari", /\bVersion\/[\d.]+ .*\bSafari\//],
];
/** An app's window on the web (Android says `wv`) opens what is clicked in it in the visitor's own browser. */
const webView = /; wv\)/;

/**
 * The number of a browser's family, from 1; null: an unknown browser, or an app that shows pages. An iPhone's app names
 * neither `Version/` nor a browser, and so is unknown too.
 */
export function browserFamily(userAgent: string): number | null {
  if (webView.test(userAgent)) return null;
  const found = marks.find(([, mark]) => mark.test(userAgent));
  return found === undefined ? null : browserFamilies.indexOf(found[0]) + 1;
}

/** A browser's family in words, for the list of somebody's sessions. */
export function browserName(userAgent: string): string {
  const found = marks.find(([, mark]) => mark.test(userAgent));
  return found === undefined
    ? "Another browser"
    : `${found[0].slice(0, 1).toUpperCase()}${found[0].slice(1)}`;
}

/** Whether two calls surely came from two browsers: one that is unknown contradicts nothing. */
export function areOtherBrowsers(one: number | null, other: number | null): boolean {
  return one !== null && other !== null && one !== other;
}
