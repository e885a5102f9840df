/** The pages under `/docs`, by what their bar calls them. */
const pages = [
  ["/docs/guide", "Guide"],
  ["/docs/embed", "Script tag"],
  ["/docs/partners", "Partners"],
  ["/docs", "Reference"],
  ["/docs/errors", "Errors"],
] as const;

/** A page under `/docs`. Whatever comes from outside is escaped by the caller. */
export function docsPage({
  path,
  title,
  styles = [],
  bodyClass,
  body,
}: {
  path: (typeof pages)[number][0];
  title: string;
  /** Style sheets before the pages' own. */
  styles?: readonly string[];
  bodyClass: string;
  body: string;
}): string {
  const sheets = [...styles, "/docs/docs.css"].map((href) => `<link rel="stylesheet" href="${href}">`);
  const links = pages.map(
    ([href, label]) =>
      `<li><a href="${href}"${href === path ? ' aria-current="page"' : ""}>${label}</a></li>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Affiliate Offer Service: ${title}</title>
<link rel="icon" href="data:,">
${sheets.join("\n")}
</head>
<body>
<header class="bar">
<strong>Affiliate Offer Service</strong>
<nav aria-label="Documentation"><ul>
${links.join("\n")}
</ul></nav>
</header>
<div class="${bodyClass}">
${body}
</div>
</body>
</html>
`;
}
