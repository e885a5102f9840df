import { html, type Markup } from "../markup.ts";
import type { DemoSettings } from "../settings.ts";

type DeskPage = "home" | "preview" | "other";

/** The head of the pages that explain the demo, as opposed to the publisher's and the advertisers'. */
export function deskHeader(current: DeskPage): Markup {
  const links = [
    ["/", "Start", "home"],
    ["/article", "Article", "article"],
    ["/magazine", "Magazine", "magazine"],
    ["/loan", "Loan page", "loan"],
    ["/preview", "Preview panel", "preview"],
  ] as const;
  return html`<header class="desk-header" aria-label="Demo site">
  <a class="wordmark" href="/"><img src="/assets/icon.svg" alt="" width="28" height="28"> <span>Offer Service <small>demo</small></span></a>
  <nav aria-label="Pages of the demo">${links.map(
    ([path, name, page]) =>
      html`<a href="${path}"${page === current && html` aria-current="page"`}>${name}</a>`,
  )}</nav>
</header>`;
}

export function deskFooter(): Markup {
  return html`<footer class="desk-footer" aria-label="About the demo"><p>Publisher, advertisers, offers and prices are invented. Nothing here leaves your machine.</p></footer>`;
}

/** The seeded websites know this site by one origin; opened by another name, its pages are refused. */
export function otherHostNotice({ demoOrigin }: DemoSettings, host: string): Markup | null {
  if (`http://${host}` === demoOrigin) return null;
  return html`<p class="notice" role="note"><strong>Opened under another name.</strong> The demo’s websites are registered for ${demoOrigin}, so the service refuses to serve this address. <a href="${demoOrigin}/">Open ${demoOrigin}</a></p>`;
}
