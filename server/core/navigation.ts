type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Each says of a request, in some browser's words, that nobody has asked for the page yet. */
const speculationHeaders = ["sec-purpose", "purpose", "x-purpose", "x-moz"] as const;

/**
 * Whether a request is made ahead of a visitor who may never come: prefetched, rendered beforehand, or for a preview of
 * the page. Header names are in lower case.
 */
export function isSpeculative(headers: Headers): boolean {
  return speculationHeaders.some((name) => /\b(?:prefetch|prerender|preview)\b/i.test(String(headers[name])));
}

/**
 * Whether a request opens a page in a tab or window of its own, by fetch metadata (W3C Fetch Metadata Request Headers):
 * an image, a script, a call of `fetch` or a frame that loads the address does not. Where the browser says nothing, it
 * contradicts nothing.
 */
export function isNavigation(headers: Headers): boolean {
  const { "sec-fetch-mode": mode, "sec-fetch-dest": destination } = headers;
  return (
    (mode === undefined || mode === "navigate") && (destination === undefined || destination === "document")
  );
}
