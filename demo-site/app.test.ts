import { afterAll, beforeAll, expect, test } from "vitest";
import { createDemoApp } from "./app.ts";
import { listenOnLoopback, type OpenSite } from "./listen-on-loopback.ts";
import { brands } from "./pages/brands.ts";

const service = "http://127.0.0.1:8787";
const liveTag = `<script async crossorigin src="${service}/embed.js" data-pub="pub_northwind" data-website="ws_journal"></script>`;
const secrets = { loan: "its_ofTheLoanPage", preview: "its_ofThePreview" };
const hostile = `"><script>alert(1)</script>'&`;

let site: OpenSite;
let base = "";

beforeAll(async () => {
  const app = createDemoApp({
    demoPort: 8788,
    demoOrigin: "http://localhost:8788",
    servicePort: 8787,
    serviceOrigin: service,
    secrets,
  });
  const listening = await listenOnLoopback(app, 0);
  if (!listening.ok) throw new Error(listening.reason);
  site = listening.site;
  base = `http://127.0.0.1:${site.port}`;
});

afterAll(() => site.close());

const get = async (path: string, init?: RequestInit) => {
  const answer = await fetch(base + path, init);
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
};

const scriptsOf = (text: string) => text.match(/<script.*?<\/script>/gs) ?? [];

test("the article carries the tag exactly as documented, and no other script", async () => {
  const { status, text } = await get("/article");
  expect(status).toBe(200);
  expect(scriptsOf(text)).toEqual([liveTag]);
});

test("the article of the live website takes no simulated place", async () => {
  const { text } = await get("/article?dev-country=FR");
  expect(scriptsOf(text)).toEqual([liveTag]);
  expect(text).not.toContain("dev-country");
});

const sectionTag = `<script async crossorigin src="${service}/embed.js" data-pub="pub_northwind" data-website="ws_journal" data-mode="section" data-container="#partner-offers" data-limit="2"></script>`;

test("the magazine keeps a place for its section, and its tag names it", async () => {
  const { text } = await get("/magazine");
  expect(scriptsOf(text)).toEqual([sectionTag]);
  expect(text.match(/id="partner-offers"/g)).toHaveLength(1);
});

test("the loan page has its own script and a tag that begins nothing by itself", async () => {
  const { text } = await get("/loan");
  expect(scriptsOf(text)).toEqual([
    '<script type="module" src="/assets/loan-form.js"></script>',
    `<script async crossorigin src="${service}/embed.js" data-pub="pub_harbour" data-website="ws_loan" data-mode="none"></script>`,
  ]);
  expect(text).toContain('action="/loan/apply"');
});

test("the previewed loan page applies to a server of its own, of the development website", async () => {
  const { text } = await get("/preview/loan?dev-country=GB");
  expect(scriptsOf(text)).toEqual([
    '<script type="module" src="/assets/loan-form.js"></script>',
    `<script src="/assets/preview-probe.js" data-service="${service}" data-own="/preview/loan/"></script>`,
    `<script async crossorigin src="${service}/embed.js" data-pub="pub_harbour" data-website="ws_preview_loan" data-mode="none" data-dev-country="GB"></script>`,
  ]);
  expect(text).toContain('action="/preview/loan/apply"');
});

test("every label of the loan page has its field, and every field says where its error will be", async () => {
  const { text } = await get("/loan");
  const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const named = [...text.matchAll(/ (?:for|aria-describedby|aria-labelledby)="([^"]+)"/g)];
  for (const id of named.flatMap(([, list = ""]) => list.split(" "))) expect(ids).toContain(id);
});

test.each(["/", "/loan", "/preview?page=loan", "/preview/loan", "/assets/loan-form.js"])(
  "%s holds no integration secret",
  async (path) => {
    const { status, text } = await get(path);
    expect(status).toBe(200);
    expect(text).not.toMatch(/its_/);
  },
);

test.each([
  ["/preview", "article", "/preview/article"],
  ["/preview?page=magazine&dev-country=GB", "magazine", "/preview/magazine?dev-country=GB"],
  ["/preview?page=loan", "loan", "/preview/loan"],
])("%s shows the %s, and marks it among the pages", async (path, name, frame) => {
  const { text } = await get(path);
  expect(text).toContain(`data-page="${name}"`);
  expect(text).toContain(`src="${frame}"`);
  const pages = text.match(/<nav class="pages".*?<\/nav>/s)?.[0] ?? "";
  expect(pages.match(/aria-current/g)).toHaveLength(1);
  expect(text.includes('id="session"')).toBe(name === "loan");
  expect(text.includes('id="decision"')).toBe(name !== "loan");
});

test.each([
  ["courier", "pub_northwind", "ws_preview_courier"],
  ["harbour", "pub_harbour", "ws_preview_harbour"],
])("the panel shows an article of %s by the twin of that website", async (name, pub, key) => {
  const { text } = await get(`/preview?website=${name}&dev-country=GB`);
  expect(text).toContain(`src="/preview/article?website=${name}&#38;dev-country=GB"`);
  expect(text).toContain(`<code>${key}</code> is the development twin of`);
  expect(text).toContain(`href="/preview?page=magazine&#38;website=${name}&#38;dev-country=GB"`);
  expect(text).toContain('href="/preview?page=loan&#38;dev-country=GB"');
  const { text: article } = await get(`/preview/article?website=${name}&dev-country=GB`);
  expect(scriptsOf(article)[1]).toContain(`data-pub="${pub}" data-website="${key}" data-dev-country="GB"`);
});

test.each([
  "/preview?page=nothing",
  "/preview?page=loan&page=article",
  "/preview?website=nothing",
  "/preview?website=journal&website=courier",
  "/preview?page=loan&website=courier",
  "/preview/article?website=loan",
])("%s is not found", async (path) => {
  expect((await get(path)).status).toBe(404);
});

test.each([
  ["", ""],
  ["?dev-country=DE", ' data-dev-country="DE"'],
  ["?dev-country=us&dev-region=us-wa", ' data-dev-country="US" data-dev-region="US-WA"'],
])(
  "the previewed article %s carries the probe and then the tag, with the place in its attributes",
  async (query, attributes) => {
    const { status, text } = await get(`/preview/article${query}`);
    expect(status).toBe(200);
    expect(scriptsOf(text)).toEqual([
      `<script src="/assets/preview-probe.js" data-service="${service}"></script>`,
      `<script async crossorigin src="${service}/embed.js" data-pub="pub_northwind" data-website="ws_preview"${attributes}></script>`,
    ]);
  },
);

test.each(["/preview", "/preview/article", "/preview/magazine", "/preview/loan"])(
  "%s refuses a place that is none, and does not repeat it",
  async (path) => {
    const { status, text } = await get(`${path}?dev-country=${encodeURIComponent(hostile)}`);
    expect(status).toBe(400);
    expect(text).toContain("dev-country must be");
    expect(text).not.toContain("alert(1)");
  },
);

test("the panel opens at the place of its address", async () => {
  const { text } = await get("/preview?dev-country=US&dev-region=US-NJ");
  expect(text).toContain('src="/preview/article?dev-country=US&#38;dev-region=US-NJ"');
  expect(text).toContain('<option value="US" selected>');
  expect(text).toContain('<option value="US-NJ" selected>New Jersey</option>');
  expect(text.match(/ selected>/g)).toHaveLength(3);
});

test("the panel offers both snippets for copying, as text", async () => {
  const { text } = await get("/preview");
  for (const website of ["ws_journal", "ws_preview"]) {
    expect(text).toContain(`data-website=&#34;${website}&#34;&#62;&#60;/script&#62;</code>`);
  }
});

test.each([
  ["value", `click_id=${encodeURIComponent(hostile)}`],
  ["name", `${encodeURIComponent(hostile)}=1`],
])("an advertiser's page escapes the %s of what arrived", async (_part, query) => {
  const { status, text } = await get(`/advertisers/learnly?${query}`);
  expect(status).toBe(200);
  expect(text).toContain("&#34;&#62;&#60;script&#62;alert(1)&#60;/script&#62;&#39;&#38;");
  expect(scriptsOf(text)).toEqual(['<script type="module" src="/assets/arrival.js"></script>']);
});

test("an advertiser's page shows each parameter, repeated ones too, and not without end", async () => {
  const { text } = await get("/advertisers/learnly?click_id=abc&offer=one&offer=two");
  expect(text.match(/<dd>/g)).toHaveLength(3);
  expect(text).toContain("<dd>abc</dd>");
  const { text: many } = await get(`/advertisers/learnly?${"a=1&".repeat(50)}long=${"x".repeat(5000)}`);
  expect(many.match(/<dd>/g)).toHaveLength(20);
  expect(many).toContain("and 31 more");
  expect(many).not.toContain("x".repeat(201));
});

test("an unknown advertiser gets the stand-in, which does not repeat the name asked for", async () => {
  const { status, text } = await get("/advertisers/%3Cb%3Enobody?click_id=abc");
  expect(status).toBe(200);
  expect(text).toContain("An advertiser");
  expect(text).not.toContain("nobody");
});

test.each(brands.map(({ slug }) => slug))(
  "%s has a logo that any site may show, and colours",
  async (slug) => {
    const logo = await get(`/brands/${slug}.svg`);
    expect(logo.status).toBe(200);
    expect(logo.headers.get("Content-Type")).toContain("image/svg+xml");
    expect(logo.headers.get("Cross-Origin-Resource-Policy")).toBe("cross-origin");
    expect(logo.text).toMatch(/^<svg .*<\/svg>\n$/s);
    expect((await get(`/brands/${slug}.css`)).headers.get("Content-Type")).toContain("text/css");
  },
);

test.each([
  "/",
  "/article",
  "/magazine",
  "/loan",
  "/preview",
  "/preview/article",
  "/preview?page=loan",
  "/advertisers/learnly",
  "/nothing",
])("%s stands under the page policy, in English, with a title and one first heading", async (path) => {
  const { headers, text } = await get(path);
  const policy = headers.get("Content-Security-Policy") ?? "";
  for (const part of [
    `script-src 'self' ${service};`,
    `connect-src 'self' ${service};`,
    `img-src 'self' data: ${service};`,
    "style-src 'self';",
    "frame-ancestors 'self';",
  ]) {
    expect(policy).toContain(part);
  }
  expect(policy).not.toContain("unsafe");
  expect(headers.get("X-Powered-By")).toBe(null);
  expect(text).toMatch(/^<!doctype html>\n<html lang="en">/);
  expect(text).toMatch(/<title>[^<]+<\/title>/);
  expect(text.match(/<h1/g)).toHaveLength(1);
  // The policy would refuse them, and a page would quietly look wrong.
  expect(text).not.toMatch(/ style="|<style| on[a-z]+="/);
});

test.each(["/", "/preview"])(
  "%s says so when it is opened under a name that is not registered",
  async (path) => {
    expect((await get(path)).text).toContain("Opened under another name.");
  },
);

test.each(["/nothing", "/assets/..%2Fapp.ts", "/assets/call-story.test.ts", "/brands/nobody.svg"])(
  "%s is not found",
  async (path) => {
    expect((await get(path)).status).toBe(404);
  },
);

test("an address that cannot be decoded is a 400, not a failure", async () => {
  expect((await get("/advertisers/%E0%A4%A")).status).toBe(400);
});

test("/healthz answers, and the newsletter form is received without being read", async () => {
  expect((await get("/healthz")).text).toBe("ok\n");
  const { status, text } = await get("/newsletter", {
    method: "POST",
    body: new URLSearchParams({ address: hostile }),
  });
  expect(status).toBe(200);
  expect(text).not.toContain("alert(1)");
});
