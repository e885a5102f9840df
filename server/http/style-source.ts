import { createHash } from "node:crypto";

/** A style sheet within a page as the page's policy names it, so that no other one counts. */
export function styleSource(style: string): string {
  return `'sha256-${createHash("sha256").update(style).digest("base64")}'`;
}
