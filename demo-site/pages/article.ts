import { html, type Markup } from "../markup.ts";
import { heroDrawing, storyDrawings } from "./article-drawings.ts";
import { articleStory } from "./article-story.ts";
import { page } from "./page.ts";

/** The publisher's article. `tags` is everything on it that is not the publisher's own: for a reader, one script tag. */
export function articlePage(tags: Markup): string {
  return page({
    title: "The island that learned to read the wind · Northwind Journal",
    description: "Eleven winters ago the ferry brought diesel to Skarholm. Now it takes electricity away.",
    styles: ["base.css", "journal.css"],
    head: tags,
    look: "journal",
    body: html`<a class="skip" href="#story">Skip to the story</a>
${masthead()}
<main id="top">
<article>
  <header class="story-head">
    <p class="kicker">Coast &amp; energy</p>
    <h1>The island that learned to read the wind</h1>
    <p class="standfirst">Eleven winters ago the ferry brought diesel to Skarholm. Now a cable takes electricity away, and the four hundred people who live there have become very particular about the weather.</p>
    <p class="byline"><span class="portrait" aria-hidden="true">IV</span><span>By <strong>Ingrid Vale</strong>, Skarholm<br><time datetime="2026-11-14">14 November 2026</time> · 5 minutes</span></p>
  </header>
  <figure class="hero">${heroDrawing()}<figcaption>The northern ridge at dusk, seen from the old pilots’ lookout. <span>Drawing: Northwind Journal</span></figcaption></figure>
  <div class="story" id="story">${articleStory()}</div>
</article>
${moreStories()}
${newsletter()}
</main>
<footer class="journal-footer"><p class="small-masthead">Northwind Journal</p><p>Reporting from the edges of the map since 1974. An invented paper for a demonstration: no island, reader or editor was disturbed.</p><p><a href="/" target="_top">About this demo</a></p></footer>`,
  });
}

function masthead(): Markup {
  return html`<header class="masthead">
  <p class="dateline"><span>Saturday, 14 November 2026</span> <span>Wind NW 7, rising</span></p>
  <p class="title"><a href="#top">Northwind Journal</a></p>
  <nav aria-label="Northwind Journal"><a href="#story">This story</a><a href="#weekend">Weekend issue</a><a href="#newsletter">Newsletter</a></nav>
</header>`;
}

/** The one story of the issue that can be read. It opens outside of a frame: the preview has its own page of it. */
const magazineLink = html`<a href="/magazine" target="_top">A barometer for every kitchen</a>`;

function moreStories(): Markup {
  const stories = [
    ["Harbours", "Who still mends a net?", "Two sisters, one shed, and a waiting list into spring."],
    ["Weather", magazineLink, "Why a school teaches pressure before percentages."],
    ["Tables", "Barley, smoke, salt", "A cook returns to the five things that grow here."],
  ] as const;
  return html`<section class="more" id="weekend" aria-labelledby="weekend-title">
  <h2 id="weekend-title">In the weekend issue</h2>
  <ul>${stories.map(
    ([section, title, text], index) =>
      html`<li>${storyDrawings()[index]}<p class="kicker">${section}</p><h3>${title}</h3><p>${text}</p></li>`,
  )}</ul>
</section>`;
}

function newsletter(): Markup {
  return html`<section class="newsletter" id="newsletter" aria-labelledby="newsletter-title">
  <div><h2 id="newsletter-title">Letters from the lee side</h2><p>One long letter on Sunday mornings. No tracking in it, and it ends.</p></div>
  <form method="post" action="/newsletter"><label for="address">Your email address</label>
  <div class="field"><input id="address" name="address" type="email" autocomplete="email" placeholder="you@example.com" required><button>Sign up</button></div></form>
</section>`;
}
