import type { PreviewQuery } from "@offers/contract/preview";
import { styleSource } from "../../http/style-source.ts";

const style = `
:root { color-scheme: light dark; --line: light-dark(#d9dce6, #343a4d) }
body { margin: 0; padding: 2rem 1.25rem; font: 1rem/1.6 system-ui, sans-serif;
  background: light-dark(#fff, #141824); color: light-dark(#141824, #eef0f6) }
main { max-width: 40rem; margin: 0 auto }
i { display: block; height: .8rem; margin: 0 0 .9rem; border-radius: .4rem; background: var(--line) }
i.title { height: 1.6rem; width: 70%; margin-bottom: 1.6rem }
i.end { width: 45%; margin-bottom: 2rem }
p { text-align: center; margin: 20vh 0 0 }`;

/** Scripts and calls of this origin alone, and in a frame of this origin alone; pictures are the offers'. */
export function previewPolicy(baseUrl: string): string {
  const pictures = baseUrl.startsWith("https:") ? "https:" : "https: http:";
  return [
    "default-src 'none'",
    "script-src 'self'",
    "connect-src 'self'",
    `img-src 'self' data: ${pictures}`,
    `style-src ${styleSource(style)}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join("; ");
}

/**
 * A page with some grey lines for an article, and the tag as a publisher has it. The overlay opens at once, whatever the website's
 * trigger is. Every value has passed a schema that lets no character through that an attribute would need escaped.
 */
export function previewPage(websiteKey: string, { token, country, language, theme }: PreviewQuery): string {
  const [devCountry, devRegion] = country?.split("-") ?? [];
  const attributes = {
    pub: token,
    website: websiteKey,
    trigger: "immediate",
    "dev-country": devCountry,
    "dev-region": devRegion,
    lang: language,
    theme,
  };
  const tag = Object.entries(attributes)
    .flatMap(([name, value]) => (value === undefined ? [] : `data-${name}="${value}"`))
    .join(" ");
  const paragraph = `<i></i><i></i><i></i><i class="end"></i>`;
  return htmlOf(`<main aria-hidden="true"><i class="title"></i>${paragraph.repeat(3)}</main>
<script async src="/embed.js" ${tag}></script>`);
}

/** What stands there when nothing can be shown. Only fixed texts may be told. */
export function noPreviewPage(text: string): string {
  return htmlOf(`<p>${text}</p>`);
}

const htmlOf = (body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
  `<meta name="robots" content="noindex"><link rel="icon" href="data:,"><title>Preview</title><style>${style}</style></head><body>${body}</body></html>`;
