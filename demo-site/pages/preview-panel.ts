import { type DevLocation, devLocationQuery } from "../dev-location.ts";
import { html, type Markup } from "../markup.ts";
import type { DemoSettings } from "../settings.ts";
import { declineOptions, offerTag, sectionOptions, type TagOptions } from "../tag.ts";
import { deskFooter, deskHeader, otherHostNotice } from "./desk.ts";
import { page } from "./page.ts";
import { articlePreview, type PreviewPage, previewPages } from "./preview-pages.ts";
import { countries, regionsByCountry } from "./preview-places.ts";
import { type PreviewWebsite, previewWebsites } from "./preview-websites.ts";

/** The site owner's panel: a page in a chosen place and width, and beside it the decision and each call of the tag. */
export function previewPanelPage(
  settings: DemoSettings,
  host: string,
  {
    previewed,
    website,
    location,
  }: { previewed: PreviewPage; website: PreviewWebsite; location: DevLocation },
): string {
  const address = `/preview/${previewed.name}${previewQuery(previewed, website, location)}`;
  return page({
    title: "Preview panel · Offer Service demo",
    description: "Visit a page from any country and watch what its script tag asks and reports.",
    styles: ["base.css", "desk.css", "preview.css", "session.css", "timeline.css"],
    head: html`<script type="module" src="/assets/preview-panel.js"></script>`,
    look: "desk wide",
    body: html`${deskHeader("preview")}
<main class="panel" aria-label="Preview panel" data-page="${previewed.name}" data-website="${website.name}">
${otherHostNotice(settings, host)}
<header class="panel-head">
  <h1>Preview panel</h1>
  <p><strong class="badge test">Test traffic</strong> <code>${website.website}</code> is the development twin of ${website.label}, with its rule, its allowlist and its texts. A place may be simulated on it, and whatever happens here is kept apart: it stands in no live report, and no advertiser is billed.</p>
  ${pages(previewed, website, location)}
</header>
${controls(previewed, website, location)}
${previewed.name === "loan" ? session() : decision()}
<section class="stage" aria-labelledby="stage-title">
  <h2 id="stage-title" class="visually-hidden">The page</h2>
  <div class="stage-bar"><span class="stage-address">${address}</span>${widths()}<button type="button" class="small" id="reload">Reload</button></div>
  <div class="stage-field"><iframe id="frame" title="The page as this visitor sees it" src="${address}"></iframe></div>
</section>
<section class="calls" aria-labelledby="calls-title">
  <h2 id="calls-title">What the tag does</h2>
  <p class="hint" id="calls-hint">Each call and event appears here the moment the page makes it.</p>
  <ol class="timeline" id="timeline"></ol>
  <noscript><p>The list of calls needs JavaScript; the places above work without it.</p></noscript>
</section>
${snippets(settings, website)}
</main>
${deskFooter()}`,
  });
}

/** What both the panel's address and its frame's say of website and place. */
function previewQuery(page: PreviewPage, website: PreviewWebsite, location: DevLocation): string {
  const place = devLocationQuery(location);
  if (website === previewWebsites(page)[0]) return place;
  return `?website=${website.name}${place.replace("?", "&")}`;
}

/** The panel's own address for a page, a website and a place. */
function panelAddress(page: PreviewPage, website: PreviewWebsite, location: DevLocation): string {
  const rest = previewQuery(page, website, location);
  return page.name === articlePreview.name
    ? `/preview${rest}`
    : `/preview?page=${page.name}${rest.replace("?", "&")}`;
}

function pages(previewed: PreviewPage, website: PreviewWebsite, location: DevLocation): Markup {
  // A page that the chosen website does not have is shown with its own.
  const on = (page: PreviewPage) =>
    previewWebsites(page).find((one) => one === website) ?? previewWebsites(page)[0];
  return html`<nav class="pages" aria-label="Page to preview">${previewPages.map(
    (page) =>
      html`<a href="${panelAddress(page, on(page), location)}"${page === previewed && html` aria-current="page"`}>${page.label} <small>${page.kind}</small></a>`,
  )}</nav>`;
}

function controls(previewed: PreviewPage, website: PreviewWebsite, { country, region }: DevLocation): Markup {
  const fullRegion = region === "" || region.includes("-") ? region : `${country}-${region}`;
  const option = (code: string, name: string, chosen: string) =>
    html`<option value="${code}"${code === chosen && html` selected`}>${name}</option>`;
  return html`<form class="controls" id="controls" action="/preview" method="get" aria-label="Where the visitor is">
  ${previewed !== articlePreview && html`<input type="hidden" name="page" value="${previewed.name}">`}
  <p class="field"><label for="website">Website</label><select id="website" name="website">${previewWebsites(
    previewed,
  ).map(({ name, label }) => option(name, label, website.name))}</select></p>
  <p class="field"><label for="country">Visitor’s country</label><select id="country" name="dev-country">
    ${option("", "My real address", country)}${option("ZZ", "Unknown place (ZZ)", country)}
    <optgroup label="Countries">${countries.map(({ code, name }) => option(code, `${name} (${code})`, country))}</optgroup>
  </select></p>
  <p class="field"><label for="region">Region</label><select id="region" name="dev-region">
    ${option("", "Any region", fullRegion)}
    ${regionsByCountry.map(
      (group) =>
        html`<optgroup label="${group.country.name}" data-country="${group.country.code}">${group.regions.map(({ code, name }) => option(code, name, fullRegion))}</optgroup>`,
    )}
  </select></p>
  <noscript><button>Visit</button></noscript>
  <fieldset class="presets"><legend>Quick choices</legend>${(previewed.places ?? website.places).map(
    (preset) =>
      html`<a class="chip ${preset.expected}" href="${panelAddress(previewed, website, preset)}" data-country="${preset.country}" data-region="${preset.region}">${preset.label}</a>`,
  )}</fieldset>
  <p class="hint">${previewed.rule ?? website.rule} ${website.permits}</p>
</form>`;
}

function decision(): Markup {
  return html`<section class="decision" id="decision" data-verdict="waiting" aria-labelledby="decision-title">
  <h2 id="decision-title">Decision</h2>
  <p class="verdict" id="verdict" role="status">Waiting for the page …</p>
  <p id="verdict-text"></p>
  <dl id="verdict-facts"></dl>
</section>`;
}

/** Stands in place of the decision on the loan page, where the lender's server decides and not the visitor's country. */
function session(): Markup {
  const states = [
    ["opened", "Opened"],
    ["pending", "Pending"],
    ["ready", "Ready"],
    ["offers", "Offers"],
  ] as const;
  return html`<section class="decision" id="session" data-verdict="waiting" aria-labelledby="session-title">
  <h2 id="session-title">Decline session</h2>
  <p class="verdict" id="session-state" role="status">No session yet</p>
  <p id="session-text">It begins when the lender’s own server has declined an application.</p>
  <ol class="track" id="session-track">${states.map(
    ([state, label]) => html`<li data-state="${state}">${label}<span class="mark"></span></li>`,
  )}</ol>
  <dl id="session-facts"></dl>
</section>`;
}

function widths(): Markup {
  return html`<fieldset class="widths" id="widths"><legend class="visually-hidden">Width of the page</legend>${[
    ["320", "320"],
    ["768", "768"],
    ["full", "Full"],
  ].map(
    ([value, label]) =>
      html`<label><input type="radio" name="width" value="${value}"${value === "full" && html` checked`}><span>${label}</span></label>`,
  )}</fieldset>`;
}

function snippets({ serviceOrigin }: DemoSettings, { website }: PreviewWebsite): Markup {
  const snippet = (id: string, title: string, text: string, tag: Omit<TagOptions, "serviceOrigin">) =>
    html`<div class="snippet"><h3>${title}</h3><p>${text}</p><pre class="code"><code id="${id}">${offerTag({ serviceOrigin, ...tag }).html}</code></pre><button type="button" class="small" data-copy="${id}">Copy the snippet</button></div>`;
  return html`<section class="snippets" aria-labelledby="snippets-title">
  <h2 id="snippets-title">The snippet</h2>
  <p>One line, anywhere in the page. <a href="/article">The article</a> carries the first.</p>
  ${snippet("live-snippet", "Live website", "Counts and bills.", { website: "ws_journal" })}
  ${snippet("test-snippet", "Development website", "For trying things out, as in this panel.", { website })}
  ${snippet("section-snippet", "A section in the page", "As in the magazine: offers within a container of the page’s own.", { website: "ws_journal", options: sectionOptions })}
  ${snippet("decline-snippet", "A soft decline", "As on the loan page: it decides nothing and opens nothing by itself. The page asks for a session once its own server has declined.", { website: "ws_loan", options: declineOptions })}
  <p class="visually-hidden" id="copied" role="status"></p>
</section>`;
}
