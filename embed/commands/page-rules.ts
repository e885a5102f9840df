import type { DecisionAnswer } from "@offers/contract/decision";

/** Whether a page of this path may have an overlay: one that is included, or all where none is, but no excluded one. */
export function isPageRuledIn(pages: DecisionAnswer["settings"]["pages"], path: string): boolean {
  if (!pages) return true;
  const { include, exclude } = pages;
  const isOneOf = (patterns: readonly string[]) => patterns.some((pattern) => matchesPath(pattern, path));
  return (include.length === 0 || isOneOf(include)) && !isOneOf(exclude);
}

/** Whether a path is the pattern, where `*` stands for any run of characters, also none. */
function matchesPath(pattern: string, path: string): boolean {
  const [first = "", ...others] = pattern.split("*");
  const last = others.pop();
  if (last === undefined) return path === first;
  if (!path.startsWith(first)) return false;
  let from = first.length;
  for (const part of others) {
    const at = path.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return path.length - last.length >= from && path.endsWith(last);
}
