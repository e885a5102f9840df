import { html, type Markup } from "../markup.ts";

type PageParts = {
  title: string;
  description?: string;
  /** Names of style sheets under /assets, or paths of others, in the order of the cascade. */
  styles: readonly string[];
  /** The rest of the head, scripts included. */
  head?: Markup;
  /** Class of the body, which chooses one of the site's three looks. */
  look: string;
  body: Markup;
};

/** A whole document. */
export function page({ title, description, styles, head, look, body }: PageParts): string {
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${description && html`<meta name="description" content="${description}">`}
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
${styles.map((style) => html`<link rel="stylesheet" href="${style.startsWith("/") ? style : `/assets/${style}`}">`)}
${head}
</head>
<body class="${look}">
${body}
</body>
</html>
`;
  return document.html;
}
