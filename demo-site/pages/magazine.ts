import { html, type Markup } from "../markup.ts";
import { storyDrawings } from "./article-drawings.ts";
import { magazineStory } from "./magazine-story.ts";
import { page } from "./page.ts";

/**
 * A story of the same paper with offers in its column. The place is the page's own: it keeps its height free from
 * the first paint, so that no line moves when the offers come, or when they do not.
 */
export function magazinePage(tags: Markup): string {
  return page({
    title: "A barometer for every kitchen · Northwind Journal",
    description: "Why a school on the coast teaches pressure before percentages.",
    styles: ["base.css", "journal.css", "magazine.css"],
    head: tags,
    look: "journal magazine",
    body: html`<a class="skip" href="#story">Skip to the story</a>
<header class="masthead" id="top">
  <p class="dateline"><span>The weekend issue</span> <span>14 and 15 November 2026</span></p>
  <p class="title"><a href="#top">Northwind Journal</a></p>
  <nav aria-label="Northwind Journal"><a href="/article" target="_top">The long read</a><a href="#story">This story</a></nav>
</header>
<main>
<article>
  <header class="story-head">
    <p class="kicker">Weather</p>
    <h1>A barometer for every kitchen</h1>
    <p class="standfirst">A school on the coast teaches pressure before percentages. Its pupils have become the people their parents ask whether to hang out the washing.</p>
    <p class="byline"><span class="portrait" aria-hidden="true">TO</span><span>By <strong>Tobias Orre</strong>, Kvalby<br><time datetime="2026-11-14">14 November 2026</time> · 3 minutes</span></p>
  </header>
  <figure class="hero">${storyDrawings()[1]}<figcaption>The needle in the classroom, a quarter to nine. <span>Drawing: Northwind Journal</span></figcaption></figure>
  <div class="story" id="story">${magazineStory(partnerOffers())}</div>
</article>
</main>
<footer class="journal-footer"><p class="small-masthead">Northwind Journal</p><p>Reporting from the edges of the map since 1974. An invented paper for a demonstration: no barometer was harmed.</p><p><a href="/" target="_top">About this demo</a></p></footer>`,
  });
}

/** The place of the offers. A reader sees its text until offers come, and for good where none do. */
function partnerOffers(): Markup {
  return html`<div class="partner-offers"><p>Offers of our partners stand here. They pay for a part of this issue.</p><div id="partner-offers"></div></div>`;
}
