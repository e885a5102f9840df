import { longestPage } from "@offers/contract/words";
import type { LoaderTag } from "../wire/visit.ts";

/**
 * Body of the ping: that the tag is in place, where (origin and path, no query), and which version runs. A frame that its
 * page has written has no address of its own.
 */
export function snippetPing({ website, pub, mode }: LoaderTag, page: { origin: string; pathname: string }) {
  return {
    websiteKey: website,
    pub,
    url: page.origin === "null" ? undefined : (page.origin + page.pathname).slice(0, longestPage),
    scriptVersion: __EMBED_VERSION__,
    surface: mode,
  };
}
