import {
  checksAnHour,
  type PageFinding,
  pageFindings,
  type SeenPage,
  type WantedTag,
} from "../core/page-check.ts";
import { coversOrigin } from "../core/registered-origin.ts";
import { hourMs } from "../core/utc-day.ts";
import { fetchPage, type PageFetching } from "./fetch-page.ts";
import { createFindingsAside } from "./findings-aside.ts";

/** A website whose page is to be looked at. */
export type CheckedWebsite = WantedTag & { origins: readonly string[] };

/** What came of it, or why it was not done: the address is none of the website's, or it was asked for too often. */
export type PageCheck =
  | { outcome: "checked"; url: string; findings: readonly PageFinding[] }
  | { outcome: "not_registered" }
  | { outcome: "too_often"; afterMs: number }
  /** So many pages are looked at for others that none more is fetched. */
  | { outcome: "busy" };

/** So many pages are in memory at the most, of a megabyte each. */
const mostAtOnce = 20;

/**
 * Looks at a page of the website: its HTML and its headers, of which nothing is kept.
 * @param findingsOf looks at what was fetched; on this thread where it is left out.
 */
export async function checkPage(
  page: string,
  website: CheckedWebsite,
  fetching: PageFetching,
  findingsOf: (
    page: SeenPage,
    wanted: WantedTag,
  ) => readonly PageFinding[] | Promise<readonly PageFinding[]> = pageFindings,
): Promise<PageCheck> {
  const url = URL.parse(page);
  const isRegistered = (origin: string) => coversOrigin((one) => website.origins.includes(one), origin);
  if (url === null || url.username !== "" || url.password !== "" || !isRegistered(url.origin)) {
    return { outcome: "not_registered" };
  }
  url.hash = "";
  const { baseUrl, publicKey, websiteKey } = website;
  const wanted = { baseUrl, publicKey, websiteKey };
  const seen = await fetchPage(url, isRegistered, fetching);
  return { outcome: "checked", url: url.href, findings: await findingsOf(seen, wanted) };
}

/**
 * The same for a service that many may ask: each website's pages `checksAnHour`, by the memory of this process, and looked at aside
 * from the thread that serves visitors.
 */
export function createPageChecks(
  fetching: PageFetching & { clock: () => number },
): (page: string, website: CheckedWebsite) => Promise<PageCheck> {
  const lately = new Map<string, number[]>();
  const findingsOf = createFindingsAside();
  let underWay = 0;
  return async (page, website) => {
    const now = fetching.clock();
    // What is ahead was by a clock that has been set back since: nobody is to wait until it comes again.
    const isRecent = (at: number) => at <= now && now - at < hourMs;
    // Forgets the websites whose checks are all more than an hour old.
    for (const [key, times] of lately) {
      if (!times.some(isRecent)) lately.delete(key);
    }
    const times = (lately.get(website.websiteKey) ?? []).filter(isRecent);
    const [oldest] = times;
    if (oldest !== undefined && times.length >= checksAnHour) {
      return { outcome: "too_often", afterMs: oldest + hourMs - now };
    }
    if (underWay >= mostAtOnce) return { outcome: "busy" };
    underWay += 1;
    // Counted before it is done, or many at once would all be let through.
    lately.set(website.websiteKey, [...times, now]);
    const check = await checkPage(page, website, fetching, findingsOf).finally(() => {
      underWay -= 1;
    });
    if (check.outcome === "not_registered") lately.set(website.websiteKey, times);
    return check;
  };
}
