import { readFileSync } from "node:fs";
import { expect, type Page, test } from "@playwright/test";
import { everybodyBlocked } from "../bench/catalogue.ts";
import { pageFindings } from "../server/core/page-check.ts";
import { scriptTag } from "./host-site.ts";
import { makePatient } from "./patient-page.ts";
import { openWorld, type World } from "./world.ts";

// Pages as content systems, optimisers, consent banners and tag managers write them, each with what the check of the page
// says of it and with what its console says to whoever asks there.

let world: World;
test.beforeAll(async () => {
  world = await openWorld({ websites: [{ name: "Journal", geo: everybodyBlocked }] });
});
test.beforeEach(({ page }) => makePatient(page));
test.afterAll(() => world?.close());

const site = () => world.website("Journal");
const src = () => `src="${world.wire.url}/embed.js"`;
const keys = () => `data-pub="${site().publicKey}" data-website="${site().websiteKey}"`;
const tag = (attributes: Record<string, string> = {}) =>
  scriptTag(world.wire.url, { ...site(), attributes: { "data-trigger": "immediate", ...attributes } });
const said = () =>
  `offerService("init", { pub: "${site().publicKey}", website: "${site().websiteKey}", trigger: "immediate", mode: "overlay" });`;
const stub =
  "window.offerService=window.offerService||function(){return(offerService.q=offerService.q||[]).push(arguments)};";
const bare = () => `<script async crossorigin ${src()}></script>`;

/** What optimisers do: they put each script that they hold in anew, so that it runs, at once or with the first press. */
const runsLater = (held: string, from: string, when: "press" | "load") => `<script>
  addEventListener(${JSON.stringify(when === "press" ? "pointerdown" : "load")}, () => {
    for (const one of document.querySelectorAll(${JSON.stringify(held)})) {
      const script = document.createElement("script");
      for (const { name, value } of one.attributes) if (!/^(type|src|${from})$/.test(name)) script.setAttribute(name, value);
      script.src = one.getAttribute(${JSON.stringify(from)});
      one.replaceWith(script);
    }
  }, { once: true });
</script>`;

/** A platform that its visitor has answered. */
const platform = (agreed: boolean) => `<script>
  window.__tcfapi = (command, version, callback) => callback(
    { gdprApplies: true, eventStatus: "tcloaded", purpose: { consents: { 2: ${agreed}, 7: ${agreed} } } }, true);
</script>`;

/** A platform as frames find it: its locator, and the listener of messages. */
const platformForFrames = `<iframe name="__tcfapiLocator" hidden></iframe>${platform(true)}<script>
  addEventListener("message", ({ data, source }) => {
    const call = Object(data).__tcfapiCall;
    if (!call) return;
    window.__tcfapi(call.command, call.version, (returnValue, success) => source.postMessage(
      { __tcfapiReturn: { returnValue, success, callId: call.callId } }, "*"));
  });
</script>`;

/** What the guide tells a frame to have before the tag. */
const handsOn = () => {
  const guide = readFileSync(new URL("../docs/embed.md", import.meta.url), "utf8");
  const found = guide.match(/<script>\n {2}\(function handOn\(\)[\s\S]*?<\/script>/);
  if (!found) throw new Error("the guide has the script no more");
  return found[0];
};

type RealPage = {
  name: string;
  html: () => string;
  headers?: () => Record<string, string>;
  /** What the check of the page finds. */
  found: string[];
  /** What the console says, one line after the other; none: the tag does not run. */
  says: RegExp[];
  /** Whether the console says so only once its visitor has pressed something. */
  isPressed?: true;
  /** The page that stands in a frame of this one's, on another origin. */
  inFrame?: () => string;
};

const shown = /^%coffers: shown%c – offers: 3/;
const waits = /waiting%c – data-consent="tcf": nothing is asked before there is consent/;

const pages: RealPage[] = [
  { name: "an article", html: () => tag(), found: [], says: [shown] },
  {
    name: "WordPress with WP Rocket",
    html: () =>
      `<script type="text/rocketlazyloadscript" async crossorigin data-rocket-${src()} ${keys()}></script>` +
      runsLater("script[data-rocket-src]", "data-rocket-src", "press"),
    found: ["delayed_by_optimiser"],
    says: [shown],
    isPressed: true,
  },
  {
    name: "WordPress with LiteSpeed Cache",
    html: () =>
      `<script type="litespeed/javascript" async crossorigin data-${src()} ${keys()}></script>` +
      runsLater("script[type='litespeed/javascript']", "data-src", "press"),
    found: ["delayed_by_optimiser"],
    says: [shown],
    isPressed: true,
  },
  {
    name: "WordPress with Perfmatters",
    html: () =>
      `<script async crossorigin ${src()} ${keys()} type="pmdelayedscript" data-cfasync="false" data-no-optimize="1"></script>` +
      runsLater("script[type=pmdelayedscript]", "src", "press"),
    found: ["delayed_by_optimiser"],
    says: [shown],
    isPressed: true,
  },
  {
    name: "WordPress with Flying Scripts, which also calls late",
    html: () =>
      `<script>${stub}${said()}</script><script async data-type="lazy" data-${src()}></script>` +
      runsLater("script[data-type=lazy]", "data-src", "press"),
    found: ["delayed_by_optimiser"],
    says: [shown],
    isPressed: true,
  },
  {
    name: "Cloudflare with Rocket Loader",
    html: () =>
      `<script async crossorigin ${src()} ${keys()} type="a8b72b53df9e7d6b87fce761-text/javascript"></script>` +
      runsLater("script[type$='-text/javascript']", "src", "load"),
    found: ["delayed_by_optimiser"],
    says: [shown],
  },
  {
    name: "an optimiser that serves a copy of the script",
    html: () => tag().replace(`${world.wire.url}/embed.js`, "/wp-content/cache/embed.js"),
    found: ["tag_altered"],
    says: [],
  },
  {
    name: "a tag manager that puts the tag in",
    html: () =>
      `<script>addEventListener("load", () => {
        ${stub}${said()}
        const script = document.createElement("script");
        script.src = "${world.wire.url}/embed.js";
        document.head.append(script);
      });</script>`,
    found: ["tag_missing"],
    says: [shown],
  },
  {
    name: "the text for a tag manager in the page itself",
    html: () => `<script>\n${stub}\n${said()}\n</script>\n${bare()}`,
    found: [],
    says: [shown],
  },
  {
    name: "a call behind the script",
    html: () => `${bare()}<script>${stub}${said()}</script>`,
    found: [],
    says: [shown],
  },
  {
    name: "a shell of a single-page site whose program puts the tag in",
    html: () => `<div id="root"></div><script type="module">
      const script = document.createElement("script");
      script.src = "${world.wire.url}/embed.js";
      Object.assign(script.dataset, { pub: "${site().publicKey}", website: "${site().websiteKey}", trigger: "immediate" });
      document.querySelector("#root").append(script);
    </script>`,
    found: ["tag_missing"],
    says: [shown],
  },
  {
    name: "Cookiebot",
    html: () => tag({ type: "text/plain", "data-cookieconsent": "marketing" }),
    found: ["blocked_by_consent"],
    says: [],
  },
  {
    name: "OneTrust",
    html: () => tag({ type: "text/plain", class: "optanon-category-C0004" }),
    found: ["blocked_by_consent"],
    says: [],
  },
  {
    name: "Usercentrics",
    html: () => tag({ type: "text/plain", "data-usercentrics": "Offers" }),
    found: ["blocked_by_consent"],
    says: [],
  },
  {
    name: "a TCF banner that waits for its visitor",
    html: () => platform(true).replace("tcloaded", "cmpuishown") + tag({ "data-consent": "tcf" }),
    found: [],
    says: [waits],
  },
  {
    name: "a TCF banner with a yes",
    html: () => platform(true) + tag({ "data-consent": "tcf" }),
    found: [],
    says: [shown],
  },
  {
    name: "a TCF banner with a no",
    html: () => platform(false) + tag({ "data-consent": "tcf" }),
    found: [],
    says: [/no consent%c – __tcfapi says no to purposes 2,7/],
  },
  {
    name: "no TCF banner, for a tag that waits for one",
    html: () => tag({ "data-consent": "tcf", "data-consent-timeout": "300" }),
    found: [],
    says: [/no consent%c – no __tcfapi has come within 300 ms/],
  },
  {
    name: "a misspelt consent",
    html: () => tag({ "data-consent": "tfc" }),
    found: ["tag_altered"],
    says: [/none of tcf, gpp, manual and none, so as with manual/],
  },
  {
    name: "a policy with a nonce, which the tag has",
    html: () => tag({ nonce: "abc" }),
    headers: () => ({
      "content-security-policy": `script-src 'nonce-abc' 'strict-dynamic'; connect-src ${world.wire.url}`,
    }),
    found: [],
    says: [shown],
  },
  {
    name: "a policy with a nonce, which the call does not have",
    html: () => `<script>${stub}${said()}</script>${bare().replace("async", 'async nonce="abc"')}`,
    headers: () => ({
      "content-security-policy": `script-src 'nonce-abc' 'strict-dynamic'; connect-src ${world.wire.url}`,
    }),
    found: ["csp"],
    says: [/nothing was asked%c – the tag has no data-pub and no data-website/],
  },
  {
    name: "a policy that lets the script run and no call through",
    html: () => tag(),
    headers: () => ({ "content-security-policy": `script-src ${world.wire.url}; connect-src 'self'` }),
    found: ["csp"],
    says: [/the service gave no answer that this page may read.*script-src and connect-src/],
  },
  {
    name: "a policy without the service",
    html: () => tag(),
    headers: () => ({ "content-security-policy": "default-src 'self'" }),
    found: ["csp", "csp"],
    says: [],
  },
  { name: "the tag twice", html: () => tag() + tag(), found: ["two_tags"], says: [shown, shown] },
  {
    name: "an editor that strips attributes",
    html: () => bare(),
    found: ["tag_altered", "tag_altered"],
    says: [/nothing was asked%c – the tag has no data-pub and no data-website/],
  },
  {
    name: "a frame of another site's",
    html: () => "",
    inFrame: () => tag(),
    found: ["tag_missing"],
    says: [/nothing was asked%c – this is another site's frame/],
  },
  {
    name: "a frame in which the tag may run, of a page with a TCF banner",
    html: () => platformForFrames,
    inFrame: () => tag({ "data-frame": "", "data-consent": "tcf", "data-consent-timeout": "300" }),
    found: ["tag_missing"],
    says: [/no consent%c – no __tcfapi has come into this frame within 300 ms/],
  },
  {
    name: "the same frame, which has the banner handed on",
    html: () => platformForFrames,
    inFrame: () => handsOn() + tag({ "data-frame": "", "data-consent": "tcf" }),
    found: ["tag_missing"],
    says: [shown],
  },
];

/** What the page's console says, the frames' with it, but for the browser's own words about requests. */
function linesOf(page: Page): string[] {
  const lines: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "info") lines.push(message.text());
  });
  return lines;
}

const written = (body: string) => `<!doctype html><html lang="en"><title>Harbour news</title>
<main><h1>The ferry is late again</h1><p>Everybody waits on the quay.</p></main>${body}</html>`;

for (const { name, html, headers = () => ({}), found, says, isPressed, inFrame } of pages) {
  test(`${name}: the check of the page and its console tell the truth`, async ({ page }) => {
    // The tag's own origin is that of the frame, where there is one.
    const outer = inFrame ? world.landing : world.host;
    if (inFrame) world.host.pages.set("/framed", { html: written(inFrame()) });
    const frame = inFrame
      ? `<iframe src="${world.host.origin}/framed?offers-debug" width="800" height="700"></iframe>`
      : "";
    outer.pages.set("/page", { html: written(html() + frame), headers: headers() });

    const answer = await fetch(`${outer.origin}/page`);
    const policy = answer.headers.get("content-security-policy");
    const seen = {
      outcome: "page" as const,
      url: answer.url,
      html: await answer.text(),
      isWhole: true,
      policies: policy === null ? [] : [policy],
    };
    const wanted = { baseUrl: world.wire.url, ...site() };
    expect(pageFindings(seen, wanted).map(({ code }) => code)).toEqual(found);

    const lines = linesOf(page);
    await page.goto(`${outer.origin}/page?offers-debug`);
    if (isPressed) {
      expect(lines).toEqual([]);
      await page.getByText("Everybody waits").click();
    }
    // That consent is waited for is told where it is not settled by then.
    const settled = () => (lines.length > 1 ? lines.filter((line) => !waits.test(line)) : lines);
    await expect.poll(settled).toEqual(says.map((one) => expect.stringMatching(one)));
  });
}
