import { html, type Markup } from "../markup.ts";
import type { DemoSettings } from "../settings.ts";
import { offerTag } from "../tag.ts";
import { brands } from "./brands.ts";
import { deskFooter, deskHeader, otherHostNotice } from "./desk.ts";
import { homeWindows } from "./home-windows.ts";
import { page } from "./page.ts";

/** The first page: what this is, in three steps, and what to look for. */
export function homePage(settings: DemoSettings, host: string): string {
  return page({
    title: "Affiliate Offer Service: a working demo",
    description: "One script tag decides who sees a page as it is and who is shown offers.",
    styles: ["base.css", "desk.css", "home.css"],
    look: "desk",
    body: html`${deskHeader("home")}
<main>
${otherHostNotice(settings, host)}
<section class="hero">
  <div>
    <p class="eyebrow">A working demo</p>
    <h1>One page. <br>Two visitors. <br>One tag.</h1>
    <p class="lead">For every visitor the service decides whether a page is shown as it is, or whether offers are laid over it. It ranks them, counts what was really seen, and bills each click once.</p>
    <p class="actions"><a class="button" href="/article">Read the article</a> <a class="button quiet" href="/preview">Open the preview panel</a></p>
  </div>
  ${homeWindows()}
</section>
${steps(settings)}
${threeWays()}
${whatToLookFor()}
${advertisers()}
${commands(settings)}
</main>
${deskFooter()}`,
  });
}

function steps({ serviceOrigin }: DemoSettings): Markup {
  return html`<section aria-labelledby="steps">
  <h2 id="steps">How it works, in three steps</h2>
  <ol class="steps">
    <li><h3>Paste one line</h3><p>A publisher adds a script tag to the page. Nothing else of the service is on it.</p>
    <pre class="code"><code>${offerTag({ serviceOrigin, website: "ws_journal" }).html}</code></pre></li>
    <li><h3>Each visitor is decided</h3><p>The service locates the visitor’s address and applies the website’s rule. Allowed visitors load two kilobytes and notice nothing. For the others the overlay opens with offers that fit their country.</p></li>
    <li><h3>Every click is accounted for</h3><p>An offer counts as seen after a second in view. A click passes through the service, which checks the budget, bills it at most once, and sends the visitor on to the advertiser.</p></li>
  </ol>
</section>`;
}

/** The pages on which each way of showing offers can be tried. */
function threeWays(): Markup {
  const ways = [
    [
      "article",
      "Over the page",
      "Read the article",
      "For visitors whom a website turns away: the offers open over the page, and Escape closes them.",
    ],
    [
      "magazine",
      "Within the page",
      "Open the magazine",
      "For everybody: a section in the column, in a place that the page keeps free. No line moves when it fills.",
    ],
    [
      "loan",
      "After a refusal",
      "Apply for a loan",
      "For applicants whom a lender declines: its own server says so to the service, and only then offers open.",
    ],
  ] as const;
  return html`<section aria-labelledby="ways">
  <h2 id="ways">Three ways to show offers</h2>
  <ul class="ways">${ways.map(
    ([name, title, action, text]) =>
      html`<li><h3>${title}</h3><p>${text}</p><p class="links"><a href="/${name}">${action}</a> <a class="beside" href="/preview${name !== "article" && `?page=${name}`}">Preview it</a></p></li>`,
  )}</ul>
</section>`;
}

function whatToLookFor(): Markup {
  return html`<section aria-labelledby="look">
  <h2 id="look">What to look for</h2>
  <ul class="look-for">
    <li><h3>The overlay on the <a href="/article">article</a></h3><p>You are on your own machine, and its address is in no country’s records. This website blocks unknown places, so the offers open at once. One stands apart as the best; Escape closes them all.</p></li>
    <li><h3>Where a click ends</h3><p>Follow an offer. The advertiser’s page is served here too, and a small box at its foot shows the click id that arrived.</p></li>
    <li><h3>The same page from elsewhere</h3><p>In the preview panel, be a visitor from <a href="/preview?dev-country=DE">Germany</a> (allowed), <a href="/preview?dev-country=FR">France</a> (blocked), <a href="/preview?dev-country=US&amp;dev-region=US-NJ">New Jersey</a> (allowed) or <a href="/preview?dev-country=US&amp;dev-region=US-WA">Washington</a> (blocked).</p></li>
    <li><h3>Each call, as it happens</h3><p>Beside that page the panel lists what the tag asks and reports, with the answers, and says what each means.</p></li>
    <li><h3>A refusal, step by step</h3><p>On the <a href="/preview?page=loan">previewed loan page</a> ask for £20,000 on £1,500 a month. The panel follows the session from its opening to the offers. Tick the register, and no loan, bet or trade is among them.</p></li>
    <li><h3>How little it leaves</h3><p>Look into your browser’s storage: no cookie, no local storage. And stop the service: the article stays exactly as it is.</p></li>
    <li><h3>A strict page policy</h3><p>These pages forbid inline scripts and styles and every host but two. The overlay works all the same.</p></li>
  </ul>
</section>`;
}

function advertisers(): Markup {
  return html`<section aria-labelledby="brands">
  <h2 id="brands">The advertisers</h2>
  <p class="under-title">Twelve invented brands with landing pages of their own.</p>
  <ul class="brand-list">${brands.map(
    ({ slug, name, vertical }) =>
      html`<li><a href="/advertisers/${slug}"><img src="/brands/${slug}.svg" alt="" width="44" height="44"><span><strong>${name}</strong><small>${vertical}</small></span></a></li>`,
  )}</ul>
</section>`;
}

function commands({ serviceOrigin, demoOrigin }: DemoSettings): Markup {
  return html`<section aria-labelledby="shell">
  <h2 id="shell">From a terminal</h2>
  <div class="pair">
    <div><h3>Ask for a decision, as the article does</h3>
    <pre class="code"><code>curl -H "Origin: ${demoOrigin}" "${serviceOrigin}/v1/decision?pub=pub_northwind&amp;website=ws_journal"</code></pre></div>
    <div><h3>See the offers as their operator does</h3>
    <pre class="code"><code>npm run --silent admin -- offer list</code></pre></div>
  </div>
</section>`;
}
