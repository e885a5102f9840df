/**
 * So many pages, told apart by host and version of the script, are kept of a website's hour, the first ones. A script may make
 * up versions without end, and hosts where a wildcard is registered: what comes beyond is counted and not told apart.
 */
export const pingedPagesKept = 200;

/** Stands for all pages of an hour beyond those that are kept: no page has an empty host. */
export const otherPages = { host: "", url: "", scriptVersion: "" } as const;

/** What is kept of a ping's page, under the origin that the browser vouches for. */
export type NotedPage = { host: string; url: string; scriptVersion: string };

/**
 * What a ping tells of its page. An address elsewhere than at the origin is not kept, for the dashboard would name a stranger's
 * page, nor is a version that no build of ours has: three numbers.
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
    url: url === origin || url.startsWith(`${origin}/`) ? url : origin,
    scriptVersion: /^\d{1,4}\.\d{1,4}\.\d{1,4}$/.test(scriptVersion) ? scriptVersion : "",
  };
}
