const link = "/dash/link/";

/** A call's path as the log may have it: whoever reads the log of a link that was only looked at could follow it. */
export function loggedPath(path: string): string {
  return path.startsWith(link) ? `${link}…` : path;
}
