/** The anchors of a page in Markdown that links may lead to: those of its headings, and those that it names itself. */
export function anchorsOf(page: string): string[] {
  return [...page.matchAll(/^#+ (.*)$|<a id="([^"]+)">/gm)].map(
    ([, heading, id]) => id ?? anchorOf(heading ?? ""),
  );
}

/** As GitHub makes it of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, "")
    .replaceAll(" ", "-");
