/** What a browser says of where a request comes from. */
export type RequestSource = {
  /** `Sec-Fetch-Site`; undefined: an old browser, or none. */
  site: string | undefined;
  origin: string | undefined;
};

/**
 * Whether a request that changes something was made by a page of ours: the browser itself says so, and where it does not
 * know how, its Origin must be ours. Cookies come with foreign pages' requests too, so nothing else tells.
 * @param own the service's origin, which visitors reach it at.
 */
export function isFromOwnPage({ site, origin }: RequestSource, own: string): boolean {
  if (site !== undefined) return site === "same-origin";
  return origin === own;
}
