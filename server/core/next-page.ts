/** Where a form leads when nobody says. */
export const firstPage = "/dash/";

/**
 * Where somebody wants to go once signed in: a path of the dashboard or of a consent, and never another host, however it is
 * spelled.
 */
export function nextPage(given: string | undefined): string {
  if (given === undefined || given.length > 2000) return firstPage;
  const isOurs = /^\/(?:dash|connect)(?:[/?][\w\-.~!$&'()*+,;=:@/?%]*)?$/.test(given);
  return isOurs && !given.includes("//") ? given : firstPage;
}
