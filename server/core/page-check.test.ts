import { describe, expect, test } from "vitest";
import { readInitCalls } from "./init-calls.ts";
import { pageFindings, type SeenPage } from "./page-check.ts";

const wanted = { baseUrl: "https://offers.example", publicKey: "pub_a", websiteKey: "ws_a" };
const src = 'src="https://offers.example/embed.js"';
const keys = 'data-pub="pub_a" data-website="ws_a"';
const tag = `<script async crossorigin ${src} ${keys}></script>`;

const page = (html: string, ...policies: string[]): SeenPage => ({
  outcome: "page",
  url: "https://shop.example/news",
  html,
  isWhole: true,
  policies,
});
const codes = (seen: SeenPage) => pageFindings(seen, wanted).map(({ code }) => code);

test.each<[string, SeenPage, string[]]>([
  ["has the tag", page(`<!doctype html><head>${tag}</head>`), []],
  [
    "has it in capitals, with other quotes",
    page(`<SCRIPT SRC='https://offers.example/embed.js' ${keys}>`),
    [],
  ],
  [
    "has it without quotes",
    page("<script src=https://offers.example/embed.js data-pub=pub_a data-website=ws_a>"),
    [],
  ],
  ["has it as it was once handed out", page(tag.replace(" crossorigin", "")), []],
  ["has it with a number against caches", page(tag.replace("embed.js", "embed.js?v=3")), []],
  [
    "has it relative to a base",
    page(`<base href="https://offers.example/x/">${tag.replace("https://offers.example/", "/")}`),
    [],
  ],
  ["has it behind a script that speaks of tags", page(`<script>if (1<2) x("<script>")</script>${tag}`), []],
  ["has it behind an attribute with a bracket", page(`<a title="1 > 0" href='<'>x</a>${tag}`), []],
  ["has it as a module", page(tag.replace("async", 'type="module"')), []],
  ["has it as what scripts were once called", page(tag.replace("async", 'type="text/javascript"')), []],
  ["has a section beside its overlay", page(tag + tag.replace("async", 'data-mode="section"')), []],
  ["has it in a comment", page(`<!-- ${tag} -->`), ["tag_missing"]],
  ["has it in a text", page(`<textarea>${tag}</textarea>`), ["tag_missing"]],
  ["has it for browsers without scripts", page(`<noscript>${tag}</noscript>`), ["tag_missing"]],
  ["has other scripts", page('<script src="https://cdn.example/embed.js"></script>'), ["tag_missing"]],
  ["is empty", page(""), ["tag_missing"]],
  ["is cut off in the tag", page(`<script ${src} data-pub="pub_a`), ["tag_altered", "tag_altered"]],
  ["has it twice", page(tag + tag), ["two_tags"]],
  ["has another publisher's key", page(tag.replace("pub_a", "pub_b")), ["tag_altered"]],
  ["has another website's key", page(tag.replace("ws_a", "ws_b")), ["tag_altered"]],
  [
    "has a copy of the script, and lost a key",
    page('<script src="/js/embed.js" data-website="ws_a"></script>'),
    ["tag_altered", "tag_altered"],
  ],
  [
    "has a copy of the script with another publisher's keys",
    page('<script src="/js/embed.js" data-pub="pub_b" data-website="ws_b"></script>'),
    ["tag_altered", "tag_altered", "tag_altered"],
  ],
  [
    "has another tool's script, which names a website, too",
    page('<script src="https://cdn.example/a.js" data-website="9"></script>'),
    ["tag_missing"],
  ],
  [
    "has another tool's script, which has a key, too",
    page('<script src="https://cdn.example/a.js" data-pub="9"></script>'),
    ["tag_missing"],
  ],
  ["has the tag without an address", page(`<script async ${keys}></script>`), ["tag_altered"]],
  ["has its address a second time", page(tag.replace("async", `data-${src}`)), []],
  [
    "is described as a policy is written",
    page(`<meta name="description" content="default-src 'none'">${tag}`),
    [],
  ],
  ["lost its keys", page(`<script ${src}></script>`), ["tag_altered", "tag_altered"]],
  ["has a copy of the script", page(`<script src="/js/embed.js" ${keys}></script>`), ["tag_altered"]],
  [
    "holds it back as text",
    page(tag.replace("async", 'type="text/plain" data-category="ads"')),
    ["blocked_by_consent"],
  ],
  ["holds its address back", page(tag.replace(" src=", " data-src=")), ["not_run"]],
  ["has it in a worker", page(tag.replace("async", 'type="text/partytown"')), ["not_run"]],
  ["has a mode that is none", page(tag.replace("async", 'data-mode="popup"')), ["tag_altered"]],
  ["has a consent that is none", page(tag.replace("async", 'data-consent="tfc"')), ["tag_altered"]],
  ["has a trigger that is none", page(tag.replace("async", 'data-trigger="onload"')), ["tag_altered"]],
  ["has a frequency that is none", page(tag.replace("async", 'data-frequency="once"')), ["tag_altered"]],
  ["has a placement that is none", page(tag.replace("async", 'data-placement="top"')), ["tag_altered"]],
  [
    "has words that are some",
    page(tag.replace("async", 'data-trigger="exit" data-frequency="day" data-placement="bottom"')),
    [],
  ],
  ["has it for browsers without modules", page(tag.replace("async", "nomodule")), ["not_run"]],
  ["has a hash of the script", page(tag.replace("async", 'integrity="sha384-x"')), ["tag_altered"]],
  ["has a consent that is one", page(tag.replace("async", 'data-consent="gpp"')), []],
  ["cannot be reached", { outcome: "unreachable", why: "answered 404" }, ["unreachable"]],
  ["leads elsewhere", { outcome: "elsewhere", origin: "https://other.example" }, ["redirects_elsewhere"]],
])("a page that %s", (_, seen, expected) => {
  expect(codes(seen)).toEqual(expected);
});

const escaped = tag.replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

test.each<[string, string, boolean]>([
  ["a comment", `<!-- ${tag} -->`, true],
  ["a comment that never ends", `<p>x</p><!-- ${tag}`, true],
  ["a text that an editor has escaped", `<p>x</p><p>${escaped}</p>`, true],
  ["a text with the script's address alone", "<pre>https://offers.example/embed.js</pre>", true],
  ["a field", `<textarea>${tag}</textarea>`, true],
  ["what is for browsers without scripts", `<noscript>${tag}</noscript>`, true],
  ["a script that puts it in", `<script>add("https://offers.example/embed.js", "ws_a")</script>`, false],
  ["a template, which a script may put in", `<template>${tag}</template>`, false],
  [
    "a link that loads its script early",
    `<link rel="preload" href="https://offers.example/embed.js">`,
    false,
  ],
  ["nothing", "<p>x</p><!-- ws_b -->", false],
])("a tag that stands in %s is told as text only where nobody can run it", (_, html, isText) => {
  expect(pageFindings(page(html), wanted)).toEqual([
    { code: "tag_missing", isWhole: true, ...(isText && { isText }) },
  ]);
});

/** How optimisers write the tag, so that they can run it later. */
const delayed: [tool: string, written: string, attribute: string][] = [
  [
    "WP Rocket",
    `<script type="text/rocketlazyloadscript" async crossorigin data-rocket-${src} ${keys}></script>`,
    'type="text/rocketlazyloadscript"',
  ],
  [
    "WP Rocket",
    `<script type="rocketlazyloadscript" data-rocket-type="text/javascript" data-rocket-${src} ${keys}></script>`,
    'type="rocketlazyloadscript"',
  ],
  [
    "WP Rocket",
    `<script data-rocketlazyloadscript="https://offers.example/embed.js" ${keys}></script>`,
    "data-rocketlazyloadscript",
  ],
  [
    "LiteSpeed Cache",
    `<script type="litespeed/javascript" async data-${src} ${keys}></script>`,
    'type="litespeed/javascript"',
  ],
  [
    "Cloudflare Rocket Loader",
    `<script async crossorigin ${src} ${keys} type="a8b72b53df9e7d6b87fce761-text/javascript"></script>`,
    'type="a8b72b53df9e7d6b87fce761-text/javascript"',
  ],
  [
    "Perfmatters",
    `<script async ${src} ${keys} type="pmdelayedscript" data-cfasync="false" data-no-optimize="1"></script>`,
    'type="pmdelayedscript"',
  ],
  [
    "Perfmatters",
    `<script data-pmdelayedscript="https://offers.example/embed.js" ${keys}></script>`,
    "data-pmdelayedscript",
  ],
  ["Flying Scripts", `<script async data-type="lazy" data-${src} ${keys}></script>`, "data-src"],
  ["Hummingbird", `<script type="wphb-delay-type" ${src} ${keys}></script>`, 'type="wphb-delay-type"'],
  [
    "WP Meteor",
    `<script type="javascript/blocked" data-wpmeteor-type="text/javascript" data-wpmeteor-${src} ${keys}></script>`,
    'type="javascript/blocked"',
  ],
  ["W3 Total Cache", `<script data-lazy="w3tc" data-${src} ${keys}></script>`, "data-src"],
  ["NitroPack", `<script type="nitropack/script" ${src} ${keys}></script>`, 'type="nitropack/script"'],
  [
    "10Web Booster",
    `<script data-two_delay_id="two_1" data-two_delay_${src} ${keys}></script>`,
    "data-two_delay_src",
  ],
  [
    "PageSpeed",
    `<script type="text/psajs" data-pagespeed-orig-${src} ${keys}></script>`,
    'type="text/psajs"',
  ],
];

const consented = (tool: string, more: string, address = src): [string, string, string, string] => [
  tool,
  `<script type="text/plain" ${more} ${address} ${keys}></script>`,
  'type="text/plain"',
  "blocked_by_consent",
];

test.each<[tool: string, written: string, attribute: string, code: string]>([
  ...delayed.map((one): [string, string, string, string] => [...one, "delayed_by_optimiser"]),
  consented("Cookiebot", 'data-cookieconsent="marketing"'),
  consented("OneTrust", 'class="optanon-category-C0004"'),
  consented("Usercentrics", 'data-usercentrics="Offers"'),
  consented("consentmanager", 'class="cmplazyload" data-cmp-vendor="s1"', `data-cmp-${src}`),
  consented("Complianz", 'data-category="marketing"', `data-cmplz-${src}`),
  consented("iubenda", 'class="_iub_cs_activate" data-iub-purposes="5"', `suppressed${src}`),
  consented("CookieYes", 'data-cookieyes="cookieyes-advertisement"'),
  consented("CookieFirst", 'data-cookiefirst-category="advertising"'),
  consented("CookieScript", 'data-cookiescript="accepted" data-cookiecategory="targeting"', `data-${src}`),
  consented("Termly", 'data-categories="advertising"'),
  consented("TrustArc", 'class="trustecm" trackertype="advertising"'),
  [
    "Borlabs Cookie",
    `<script type="text/template" data-borlabs-script-blocker-id="x" data-borlabs-script-blocker-${src} ${keys}></script>`,
    'type="text/template"',
    "blocked_by_consent",
  ],
  [
    "Real Cookie Banner",
    `<script consent-required="9" consent-by="services" consent-original-src-_="https://offers.example/embed.js" ${keys}></script>`,
    "consent-original-src-_",
    "blocked_by_consent",
  ],
  [
    "Didomi",
    `<script type="didomi/javascript" data-vendor="c:offers" ${src} ${keys}></script>`,
    'type="didomi/javascript"',
    "blocked_by_consent",
  ],
])("that %s holds the tag back is told, and nothing else: %s", (tool, written, attribute, code) => {
  expect(pageFindings(page(written), wanted)).toEqual([{ code, attribute, tool }]);
});

test("no tool is named that is not known, and no address that the tag does not have", () => {
  expect(pageFindings(page(tag.replace("async", 'type="text/plain"')), wanted)).toEqual([
    { code: "blocked_by_consent", attribute: 'type="text/plain"', tool: null },
  ]);
  expect(pageFindings(page(`<script async ${keys}></script>`), wanted)).toEqual([
    { code: "tag_altered", attribute: "src", found: "", wanted: "https://offers.example/embed.js" },
  ]);
  // It runs, whatever else is written on it.
  expect(
    codes(page(tag.replace("async", 'data-cookieconsent="ignore" data-rocket-status="executed"'))),
  ).toEqual([]);
});

test("what was altered is named with what it should be", () => {
  expect(pageFindings(page(tag.replace("pub_a", "pub_&amp;b")), wanted)).toEqual([
    { code: "tag_altered", attribute: "data-pub", found: "pub_&b", wanted: "pub_a" },
  ]);
});

describe("a script whose keys are said by init", () => {
  const bare = `<script async crossorigin ${src}></script>`;
  const said = (text: string, more = "") => `<script${more}>${text}</script>`;
  const keyed = 'offerService("init", { pub: "pub_a", website: "ws_a", mode: "overlay" });';
  const stub =
    "window.offerService=window.offerService||function(){return(offerService.q=offerService.q||[]).push(arguments)};";

  test.each<[string, string, string[]]>([
    ["as a tag manager's text has it", said(`\n${stub}\n${keyed}\n`) + bare, []],
    ["behind the script", bare + said(keyed), []],
    [
      "on several lines, with other quotes",
      said("offerService('init', {\n  website: 'ws_a',\n  pub: 'pub_a'\n})") + bare,
      [],
    ],
    ["as JSON", said('offerService("init",{"pub":"pub_a","website":"ws_a"})') + bare, []],
    ["without blanks", said("offerService(`init`,{pub:`pub_a`,website:`ws_a`})") + bare, []],
    ["by a module", said(keyed, ' type="module"') + bare, []],
    ["by variables", said('offerService("init", { pub: keys.pub, website: keys.website })') + bare, []],
    [
      "behind another website's",
      said(`offerService("init", { pub: "pub_b", website: "ws_b" }); ${keyed}`) + bare,
      [],
    ],
    [
      "by a function of another name",
      said(keyed.replace("offerService", "offers")) + bare.replace("async", 'data-global="offers"'),
      [],
    ],
    [
      "in an address, as some optimisers put it",
      `<script src="data:text/javascript,${encodeURIComponent(keyed)}"></script>${bare}`,
      [],
    ],
    [
      "in an address of base64",
      `<script src="data:text/javascript;base64,${btoa(keyed)}"></script>${bare}`,
      [],
    ],
    [
      "half, and half by the tag",
      said('offerService("init", { pub: "pub_a" })') + bare.replace("async", 'data-website="ws_a"'),
      [],
    ],
    [
      "twice, with two scripts",
      said(keyed) +
        bare +
        said('offerService("init", { pub: "pub_a", website: "ws_a", mode: "section" })') +
        bare,
      [],
    ],
    ["with another publisher's key", said(keyed.replace("pub_a", "pub_b")) + bare, ["tag_altered"]],
    ["with another website's key", said(keyed.replace("ws_a", "ws_b")) + bare, ["tag_altered"]],
    [
      "of another tool's",
      said('rrweb("init", { pub: "pub_a", website: "ws_a" })') + bare,
      ["tag_altered", "tag_altered"],
    ],
    ["without keys", said('offerService("init", { lang: "de" })') + bare, []],
    ["in a comment of the page", `<!-- ${said(keyed)} -->${bare}`, ["tag_altered", "tag_altered"]],
    [
      "in an address that is spoilt",
      `<script src="data:text/javascript,offerService%"></script>${bare}`,
      ["tag_altered", "tag_altered"],
    ],
    [
      "held back as text",
      said(keyed, ' type="text/plain" data-cookieconsent="marketing"') + bare,
      ["blocked_by_consent"],
    ],
    [
      "by a script that is delayed",
      said(keyed, ' type="text/rocketlazyloadscript"') + bare,
      ["delayed_by_optimiser"],
    ],
    [
      "where the script's address is another",
      said(keyed) + bare.replace("async", 'data-website="ws_a"').replace("offers.example", "cdn.example"),
      ["tag_altered"],
    ],
    ["without the script", said(keyed), ["tag_missing"]],
  ])("%s", (_, html, expected) => {
    expect(codes(page(html))).toEqual(expected);
  });

  test("names what the call says where that is wrong", () => {
    const html = said(keyed.replace("pub_a", "pub_b")) + bare;
    expect(pageFindings(page(html), wanted)).toEqual([
      { code: "tag_altered", attribute: "data-pub", found: "pub_b", wanted: "pub_a", isInit: true },
    ]);
  });

  const hash = "'sha256-yn5CZI2DuVmlSbhOzX+fdhpBUXOSawSI7u1VMePWLwQ='";
  test.each<[string, string, string, string | null]>([
    ["every script within the page", "script-src 'unsafe-inline' https://offers.example", "", null],
    ["its nonce", "script-src 'nonce-abc' https://offers.example", ' nonce="abc"', null],
    ["its hash", `script-src ${hash} https://offers.example`, "", null],
    ["its hash beside trust that is handed on", `script-src 'strict-dynamic' 'nonce-x' ${hash}`, "", null],
    [
      "no script within the page",
      "script-src https://offers.example",
      "",
      `script-src https://offers.example ${hash}`,
    ],
    [
      "a nonce that it does not have, which takes the leave from the others",
      "script-src 'unsafe-inline' 'nonce-abc' https://offers.example",
      "",
      `script-src 'unsafe-inline' 'nonce-abc' https://offers.example ${hash}`,
    ],
  ])("is allowed by a policy with %s, or told to be stopped", (_, policy, nonce, line) => {
    const html = said(keyed, nonce) + bare.replace("async", 'async nonce="x"');
    const stops = "the script in the page that calls init";
    expect(pageFindings(page(html, policy), wanted)).toEqual(
      line === null ? [] : [{ code: "csp", directive: policy, place: "header", stops, line }],
    );
  });
});

describe("a policy", () => {
  const stopped = (policy: string, html = tag) =>
    pageFindings(page(html, policy), wanted).map((finding) => finding.code === "csp" && finding.stops);
  const [script, calls] = ["the script", "its calls"];

  test.each<[string, string, (string | false)[]]>([
    ["nothing", "", []],
    ["nothing on scripts", "img-src 'none'; style-src 'none'; frame-ancestors 'none'", []],
    ["the service for both", "script-src https://offers.example; connect-src https://offers.example", []],
    ["the service by default", "default-src offers.example", []],
    ["the service in capitals", "DEFAULT-SRC HTTPS://OFFERS.EXAMPLE", []],
    ["any host", "default-src *", []],
    ["any host over TLS", "default-src https:", []],
    ["any host over http, which TLS betters", "default-src http:", []],
    ["its port", "default-src https://offers.example:443", []],
    ["any port", "default-src https://offers.example:*", []],
    ["hosts below example", "default-src *.example", []],
    ["another port", "default-src https://offers.example:8443", [script, calls]],
    ["hosts below it, and not itself", "default-src *.offers.example", [script, calls]],
    ["another scheme", "default-src ws://offers.example", [script, calls]],
    ["another host", "default-src https://offers.example.evil.example", [script, calls]],
    ["nobody", "default-src 'none'", [script, calls]],
    ["the page itself", "default-src 'self'", [script, calls]],
    ["no source at all", "script-src", [script]],
    ["the page for scripts", "default-src *; script-src 'self'", [script]],
    ["the page for elements of scripts", "script-src *; script-src-elem 'self'", [script]],
    ["the page for handlers, which are not asked", "script-src *; script-src-attr 'none'", []],
    ["the page for calls", "script-src *; connect-src 'self'", [calls]],
    [
      "the loader's file alone, without what it imports",
      "script-src https://offers.example/embed.js",
      [script],
    ],
    ["the loader and its folder", "script-src https://offers.example/embed.js https://offers.example/c/", []],
    [
      "a path of other capitals",
      "script-src https://offers.example/EMBED.js https://offers.example/c/",
      [script],
    ],
    ["what is inline", "script-src 'unsafe-inline' 'unsafe-eval'", [script]],
    ["another nonce", "script-src 'nonce-other'", [script]],
    ["the first of two directives of a name", "script-src *; script-src 'none'", []],
    [
      "trust that is handed on, in spite of the host",
      "script-src 'strict-dynamic' 'nonce-x' https://offers.example",
      [script],
    ],
    ["both of two policies in one header", "default-src *, script-src 'self'", [script]],
    ["a sandbox without scripts", "sandbox allow-forms", ["every script of the page"]],
    ["a sandbox with scripts", "sandbox allow-scripts", []],
  ])("that allows %s", (_, policy, expected) => {
    expect(stopped(policy)).toEqual(expected);
  });

  test("knows the tag's nonce", () => {
    const withNonce = tag.replace("async", 'async nonce="abc"');
    expect(stopped("script-src 'nonce-abc' 'strict-dynamic'", withNonce)).toEqual([]);
    expect(stopped("script-src 'nonce-ABC'", withNonce)).toEqual([script]);
  });

  test("is named exactly, with the line that would do", () => {
    const meta = `<meta http-equiv="Content-Security-Policy" content="default-src 'self' cdn.example; connect-src 'none'">`;
    expect(pageFindings(page(meta + tag), wanted)).toEqual([
      {
        code: "csp",
        directive: "default-src 'self' cdn.example",
        place: "meta",
        stops: script,
        line: "script-src 'self' cdn.example https://offers.example",
      },
      {
        code: "csp",
        directive: "connect-src 'none'",
        place: "meta",
        stops: calls,
        line: "connect-src https://offers.example",
      },
    ]);
    expect(pageFindings(page(tag, "script-src 'strict-dynamic'"), wanted)).toMatchObject([
      { place: "header", line: null },
    ]);
  });

  test("is read when the service stands on the page's own origin", () => {
    const own = { ...wanted, baseUrl: "https://shop.example" };
    for (const address of ["https://shop.example/embed.js", "/embed.js", "embed.js"]) {
      const html = tag.replace("https://offers.example/embed.js", address);
      expect(pageFindings(page(html, "default-src 'self'"), own), address).toEqual([]);
    }
  });
});

test.each([
  ["a name", "offerService", []],
  ["another name", "$öffers_2", []],
  ["a name of a hundred signs", "a".repeat(100), []],
  ["a longer one", "a".repeat(101), ["tag_altered", "tag_altered"]],
  ["several words", "offer service", ["tag_altered", "tag_altered"]],
])("calls are looked for by %s", (_, name, found) => {
  const call = `<script>${name}("init", { pub: "pub_a", website: "ws_a" })</script>`;
  expect(codes(page(`<script ${src} data-global="${name}"></script>${call}`))).toEqual(found);
});

test("a page's scripts are read once for all tags that name one function", () => {
  let reads = 0;
  const script = {
    name: "script",
    attributes: new Map(),
    get text() {
      reads += 1;
      return 'offerService("init", {})';
    },
  };
  const initCalls = readInitCalls([script]);
  expect(initCalls("offerService")).toHaveLength(1);
  for (let tag = 0; tag < 5; tag += 1) initCalls("offerService");
  expect(reads).toBe(1);
});

test("the first ten tags of a page and the first 200 attributes of one are looked at", () => {
  const other = `<script ${src} data-pub="pub_b" data-website="ws_b"></script>`;
  expect(codes(page(other.repeat(9) + tag))).toEqual([]);
  expect(codes(page(other.repeat(10) + tag))).not.toEqual([]);
  const odd = (count: number) => Array.from({ length: count }, (_, at) => `a${at}`).join(" ");
  expect(codes(page(tag.replace("<script", `<script ${odd(190)}`)))).toEqual([]);
  expect(codes(page(tag.replace("<script", `<script ${odd(200)}`)))).toEqual(["tag_missing"]);
});

test("a page of a megabyte of odd signs is read in no time", { timeout: 90_000 }, () => {
  for (const odd of ["<", "<a ", "<a =", '<a b="', "<!--", "<script ", "<a/", "< =<"]) {
    const startedAt = performance.now();
    pageFindings(page(odd.repeat(1_048_576 / odd.length)), wanted);
    // What takes the square of its length takes an hour.
    expect(performance.now() - startedAt, odd).toBeLessThan(10_000);
  }
});

test("a page that is full of scripts without keys, and of calls, is looked at no longer", {
  timeout: 90_000,
}, () => {
  const call = 'offerService("init",{pub:x';
  for (const html of [
    `<script ${src}></script>`.repeat(20_000) + "<script>offerService</script>".repeat(10_000),
    `<script ${src}></script><script>${call.repeat(40_000)}</script>`,
    `<script ${src}></script><script>offerService${'"init"'.repeat(150_000)}</script>`,
    `<script ${src}></script><script src="data:${";".repeat(900_000)}"></script>`,
  ]) {
    const startedAt = performance.now();
    pageFindings(page(html), wanted);
    expect(performance.now() - startedAt, html.slice(0, 100)).toBeLessThan(10_000);
  }
});

test("a page with a long base and thousands of scripts is looked at in no time, and fills no memory", () => {
  const scripts = "<script data-website=a data-pub=b></script>".repeat(12_000);
  for (const path of ["x".repeat(500_000), "é/".repeat(100_000)]) {
    const startedAt = performance.now();
    const before = process.memoryUsage().heapUsed;
    expect(codes(page(`<base href="/${path}">${tag}${scripts}`))).toEqual([]);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(200_000_000);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  }
});

test.each([
  ["its base", `<base href="https://offers.example/x/">`, "../embed.js"],
  ["its own address, whatever its query", "", "/embed.js"],
  ["the host of a base that is long", `<base href="https://offers.example/${"x".repeat(600)}">`, "/embed.js"],
])("a script's address is relative to %s", (_, base, src) => {
  const own = {
    ...page(base + tag.replace("https://offers.example/embed.js", src)),
    url: "https://offers.example/a?b=/c",
  };
  expect(pageFindings(own, wanted)).toEqual([]);
});

test("a page that is full of policies is looked at no longer than one with some", () => {
  const policies = "default-src 'none',".repeat(50_000);
  const found = pageFindings(
    page(`<meta http-equiv=content-security-policy content="${policies}">${tag}`),
    wanted,
  );
  expect(found).toHaveLength(40);
  const long = `script-src ${"https://cdn.example ".repeat(50_000)}`;
  expect(codes(page(tag, long, "script-src 'self'"))).toEqual(["csp"]);
});
