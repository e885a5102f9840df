import { afterAll, beforeAll, expect, test } from "vitest";
import { createDemoApp } from "./app.ts";
import { listenOnLoopback, type OpenSite } from "./listen-on-loopback.ts";
import { brands } from "./pages/brands.ts";

const service = "http://127.0.0.1:8787";
const liveTag = `<script async src="${service}/embed.js" data-pub="pub_northwind" data-website="ws_journal"></script>`;
const hostile = `"><script>alert(1)</script>'&`;

let site: OpenSite;
let base = "";

beforeAll(async () => {
  const app = createDemoApp({
    demoPort: 8788,
    demoOrigin: "http://localhost:8788",
    servicePort: 8787,
    serviceOrigin: service,
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
      `<script async src="${service}/embed.js" data-pub="pub_northwind" data-website="ws_preview"${attributes}></script>`,
    ]);
  },
);

test.each(["/preview", "/preview/article"])(
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
  expect(text.match(/ selected>/g)).toHaveLength(2);
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

test.each(["/", "/article", "/preview", "/preview/article", "/advertisers/learnly", "/nothing"])(
  "%s stands under the page policy, in English, with a title and one first heading",
  async (path) => {
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
  },
);

test.each(["/", "/preview"])(
  "%s says so when it is opened under a name that is not registered",
  async (path) => {
    expect((await get(path)).text).toContain("Opened under another name.");
  },
);

test.each([
  "/nothing",
  "/assets/..%2Fapp.ts",
  "/assets/tsconfig.json",
  "/assets/call-story.test.ts",
  "/brands/nobody.svg",
])("%s is not found", async (path) => {
  expect((await get(path)).status).toBe(404);
});

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
