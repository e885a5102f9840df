import { useLocation } from "preact-iso/router";
import { type Query, queryText } from "./api.ts";

/** Where every page begins. */
export const base = "/dash";

export type Address = {
  /** Without a slash at its end. */
  path: string;
  query: Record<string, string>;
  /** The link to another page, below /dash; the chosen publisher stays chosen. */
  to: (path: string, query?: Query) => string;
  /** The link to this page with some of its state changed: null takes a word out. */
  having: (changed: Query) => string;
  /** Goes to a link; `replace` leaves no step to go back to, as is right while somebody types. */
  go: (link: string, replace?: boolean) => void;
};

/** The page's address, in which its whole state stands: range, filters, tab and publisher. */
export function useAddress(): Address {
  const { path, query, route } = useLocation();
  const link = (pathname: string, words: Query) => {
    const text = queryText(words);
    return text ? `${pathname}?${text}` : pathname;
  };
  return {
    path,
    query,
    to: (page, words = {}) => link(base + page, { p: query.p, ...words }),
    // By the address as it is: of two changes within one frame the second one finds the first not drawn yet.
    having: (changed) => {
      const now = Object.fromEntries(new URLSearchParams(location.search));
      return link(path === base ? `${base}/` : path, { ...now, ...changed });
    },
    go: (to, replace = false) => route(to, replace),
  };
}
