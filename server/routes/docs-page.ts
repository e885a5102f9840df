/** A page under `/docs`. Whatever comes from outside is escaped by the caller. */
export function docsPage({
  title,
  styles = [],
  bodyClass = "",
  body,
}: {
  title: string;
  /** Style sheets beside the pages' own. */
  styles?: readonly string[];
  bodyClass?: string;
  body: string;
}): string {
  const links = [...styles, "/docs/docs.css"].map((href) => `<link rel="stylesheet" href="${href}">`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Affiliate Offer Service: ${title}</title>
<link rel="icon" href="data:,">
${links.join("\n")}
</head>
<body${bodyClass === "" ? "" : ` class="${bodyClass}"`}>
${body}
</body>
</html>
`;
}
