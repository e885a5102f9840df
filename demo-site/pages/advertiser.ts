import { html, type Markup } from "../markup.ts";
import type { Brand } from "./brands.ts";
import { page } from "./page.ts";

const mostParameters = 20;
const mostCharacters = 200;

/** The landing page of one advertiser, with a list of what the click brought along. */
export function advertiserPage(brand: Brand, query: URLSearchParams): string {
  const { slug, name, vertical, claim, lead, points, action, smallPrint } = brand;
  return page({
    title: `${name}: ${claim}`,
    description: lead,
    styles: ["base.css", "advertiser.css", `/brands/${slug}.css`],
    head: html`<meta name="robots" content="noindex">
<script type="module" src="/assets/arrival.js"></script>`,
    look: "advertiser",
    body: html`<header class="brand-header">
  <a class="brand-name" href="/advertisers/${slug}"><img src="/brands/${slug}.svg" alt="" width="40" height="40">${name}</a>
  <p>${vertical}</p>
</header>
<main data-brand="${name}">
<section class="brand-hero">
  <div><h1>${claim}</h1><p class="lead">${lead}</p><p><a class="button" href="#why">${action}</a></p></div>
  <img class="poster" src="/brands/${slug}.svg" alt="" width="280" height="280">
</section>
<section class="why" id="why" aria-labelledby="why-title" tabindex="-1">
  <h2 id="why-title">Why ${name}</h2>
  <ul class="points">${points.map(([title, text]) => html`<li><h3>${title}</h3><p>${text}</p></li>`)}</ul>
  <p class="small-print">${smallPrint}</p>
</section>
${arrived(query)}
</main>
<footer class="brand-footer"><p>${name} is invented for this demonstration. <a href="/">About the demo</a></p></footer>`,
  });
}

function arrived(query: URLSearchParams): Markup {
  const all = [...query];
  const shown = all.slice(0, mostParameters);
  const clickId = query.get("click_id") ?? "";
  const text =
    clickId === ""
      ? "No click id came along: this page was opened directly, not through an offer."
      : "The advertiser keeps the click id. Reporting it back later ties a sale to this very click.";
  return html`<section class="arrived" aria-labelledby="arrived-title">
  <h2 id="arrived-title">What arrived with this click</h2>
  <p>${text}</p>
  ${shown.length > 0 && html`<dl>${shown.map(([name, value]) => html`<div><dt>${cut(name)}</dt><dd>${cut(value) || "(empty)"}</dd></div>`)}</dl>`}
  ${all.length > shown.length && html`<p>and ${all.length - shown.length} more</p>`}
</section>`;
}

function cut(text: string): string {
  return text.length > mostCharacters ? `${text.slice(0, mostCharacters)}…` : text;
}
