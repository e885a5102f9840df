import { stepOf } from "./call-story.js";
import { decisionWords, noDecision } from "./decision-words.js";
import { keepFrameWidth } from "./frame-width.js";
import { createSessionTrack } from "./session-track.js";
import { createTimeline } from "./timeline.js";

/** @template {HTMLElement} T @param {string} id @param {new () => T} kind @returns {T} */
function find(id, kind) {
  const node = document.getElementById(id);
  if (!(node instanceof kind)) throw new Error(`#${id} is missing`);
  return node;
}

const frame = find("frame", HTMLIFrameElement);
const website = find("website", HTMLSelectElement);
const country = find("country", HTMLSelectElement);
const region = find("region", HTMLSelectElement);
/** The page that is shown, by its name below `/preview/`. */
const previewed = document.querySelector("main")?.dataset.page ?? "article";
const timeline = createTimeline(find("timeline", HTMLElement), previewed);
const session = createSessionTrack(document.getElementById("session"));
const regionChoices = [...region.children];

/** The decision's call, and clicks on their way to an advertiser. */
let decisionId = -1;
let clicksUnderWay = 0;
let load = "";

function query(page = "") {
  const chosen = new URLSearchParams();
  if (page !== "") chosen.set("page", page);
  if (website.selectedIndex > 0) chosen.set("website", website.value);
  if (country.value !== "") chosen.set("dev-country", country.value);
  if (country.value !== "" && region.value !== "") chosen.set("dev-region", region.value);
  return chosen.size === 0 ? "" : `?${chosen}`;
}

/** Only the regions of the chosen country can be chosen. */
function offerRegions() {
  const chosen = region.value;
  const fitting = regionChoices.filter(
    (choice) => !(choice instanceof HTMLOptGroupElement) || choice.dataset.country === country.value,
  );
  region.replaceChildren(...fitting);
  region.disabled = fitting.length < 2;
  region.value = chosen.startsWith(`${country.value}-`) ? chosen : "";
}

function visit() {
  history.replaceState(null, "", `/preview${query(previewed === "article" ? "" : previewed)}`);
  const address = `/preview/${previewed}${query()}`;
  document.querySelector(".stage-address")?.replaceChildren(address);
  markPreset();
  showWaiting();
  // Replaced, so that Back leaves the panel instead of walking through its places.
  frame.contentWindow?.location.replace(address);
}

function markPreset() {
  for (const chip of document.querySelectorAll("a.chip")) {
    const { country: at = "", region: within = "" } = /** @type {HTMLElement} */ (chip).dataset;
    if (at === country.value && within === region.value) chip.setAttribute("aria-current", "true");
    else chip.removeAttribute("aria-current");
  }
}

function showWaiting() {
  timeline.clear();
  session.clear();
  decisionId = -1;
  show({ verdict: "waiting", heading: "Waiting for the page …", text: "", facts: [] });
}

/** @param {{ verdict: string, heading: string, text: string, facts: [string, string][] }} words */
function show({ verdict, heading, text, facts }) {
  if (!document.getElementById("decision")) return verdict === "refused" ? session.failed(text) : undefined;
  find("decision", HTMLElement).dataset.verdict = verdict;
  find("verdict", HTMLElement).textContent = heading;
  find("verdict-text", HTMLElement).textContent = text;
  find("verdict-facts", HTMLElement).replaceChildren(
    ...facts.map(([name, value]) => {
      const pair = document.createElement("div");
      const term = document.createElement("dt");
      const text = document.createElement("dd");
      term.textContent = name;
      text.textContent = value;
      pair.append(term, text);
      return pair;
    }),
  );
}

const countryNames = new Intl.DisplayNames(["en"], { type: "region" });

/** @param {string} full */
function regionName(full) {
  const options = regionChoices.flatMap((choice) => [...choice.querySelectorAll("option")]);
  return options.find((option) => option.value === full)?.text ?? full;
}

/** @param {number} status @param {string | null} body */
function showDecision(status, body) {
  if (status >= 400)
    return show(noDecision(`The service refused to decide (${status}). Its answer stands in the list.`));
  try {
    show(
      decisionWords(JSON.parse(body ?? ""), (code) => countryNames.of(code) ?? code, regionName, previewed),
    );
  } catch {
    show(noDecision("The answer could not be read, so the tag leaves the page alone."));
  }
}

/** @param {any} message */
function onProbe(message) {
  switch (message.type) {
    case "hello":
      frame.contentWindow?.postMessage({ source: "preview-panel" }, location.origin);
      return;
    case "opened":
      load = message.load;
      clicksUnderWay = 0;
      return showWaiting();
    case "sent":
      if (stepOf(message.method, new URL(message.url).pathname) === "decision") decisionId = message.id;
      session.sent(message);
      return timeline.sent(message);
    case "answered":
      session.answered(message);
      if (message.id === decisionId) showDecision(message.status, message.body);
      return timeline.answered(message.id, message);
    case "failed":
      if (message.id === decisionId)
        show(noDecision("No readable answer came from the service, so the tag leaves the page alone."));
      return timeline.failed(message.id, message.ms, message.error);
    case "file":
      return timeline.file(message);
    case "tag-failed":
      return show(
        noDecision(
          "The tag could not be loaded: the service does not run, or something blocks it. The page is unharmed.",
        ),
      );
    case "hop":
      clicksUnderWay += 1;
      return timeline.hop(message.url);
  }
}

window.addEventListener("message", (event) => {
  if (event.source !== frame.contentWindow || event.origin !== location.origin) return;
  if (event.data?.source !== "preview-probe") return;
  // A page that is being left may still send calls: they belong to no list any more.
  if (event.data.load !== load && !["hello", "opened"].includes(event.data.type)) return;
  onProbe(event.data);
});

new BroadcastChannel("arrivals").addEventListener("message", ({ data }) => {
  // Clicks on the article in another tab arrive as well; they are not this page's.
  if (clicksUnderWay === 0) return;
  clicksUnderWay -= 1;
  timeline.arrived(String(data.brand), String(data.clickId));
});

// Its rule and the choices that fit it come with the panel's page.
website.addEventListener("change", () => {
  location.replace(`/preview${query(previewed === "article" ? "" : previewed)}`);
});
country.addEventListener("change", () => {
  offerRegions();
  visit();
});
region.addEventListener("change", visit);
find("reload", HTMLButtonElement).addEventListener("click", visit);
find("controls", HTMLFormElement).addEventListener("click", (event) => {
  const chip = event.target instanceof Element ? event.target.closest("a.chip") : null;
  if (!(chip instanceof HTMLElement) || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  country.value = chip.dataset.country ?? "";
  offerRegions();
  region.value = chip.dataset.region ?? "";
  visit();
});

for (const button of document.querySelectorAll("button[data-copy]")) {
  button.addEventListener("click", async () => {
    const snippet = find(/** @type {HTMLElement} */ (button).dataset.copy ?? "", HTMLElement);
    try {
      await navigator.clipboard.writeText(snippet.textContent ?? "");
      button.textContent = "Copied";
      find("copied", HTMLElement).textContent = "The snippet is on the clipboard.";
    } catch {
      // No clipboard here: the text is selected, ready to be copied by hand.
      getSelection()?.selectAllChildren(snippet);
      button.textContent = "Selected: press Ctrl+C";
    }
    setTimeout(() => button.replaceChildren("Copy the snippet"), 2500);
  });
}

offerRegions();
markPreset();
keepFrameWidth(frame, find("widths", HTMLElement));
// The page may have been faster than this script: the probe has kept its calls, and sends them now.
frame.contentWindow?.postMessage({ source: "preview-panel" }, location.origin);
