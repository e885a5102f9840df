import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { errorCodes } from "@offers/contract/problem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createFixedGeo } from "../geo/fixed-geo.ts";
import { baseUrl, startTestService, type TestService } from "../testing/test-service.ts";
import { explainedCodes } from "./explained-codes.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

it("is a page that may load from this host alone and run nothing inline", async () => {
  const page = await service.call("/docs", { origin: null });
  expect(page.status).toBe(200);
  expect(page.headers["content-type"]).toBe("text/html; charset=utf-8");
  expect(String(page.headers["content-security-policy"])).toMatch(
    /^default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';/,
  );
  expect(page.text).not.toMatch(/(src|<link[^>]*href)="https?:|<style|<script>|\son\w+=/);
});

it.each([
  ["DBIP-City-Lite", '<a href="https://db-ip.com">IP Geolocation by DB-IP</a>, of 2026-11-01'],
  ["GeoLite2-City", "created by MaxMind"],
  ["my <own>", "my &#60;own&#62;, of 2026-11-01"],
])("says what the licence of %s wants", async (name, line) => {
  const source = { name, date: "2026-11-01", version: "1" };
  const other = await startTestService({ geo: createFixedGeo(undefined, source) });
  expect((await other.call("/docs", { origin: null })).text).toContain(line);
  await other.close();
});

it("has everything that the page asks for", async () => {
  const page = await service.call("/docs", { origin: null });
  const files = [...page.text.matchAll(/(?:src|<link rel="stylesheet" href)="(\/[^"]+)"/g)].map(
    ([, file]) => file ?? "",
  );
  expect(files).toHaveLength(4);
  for (const file of files) {
    const answer = await service.call(file, { origin: null });
    expect(answer.status).toBe(200);
    expect(answer.headers["content-type"]).toBe(
      file.endsWith(".css") ? "text/css; charset=utf-8" : "text/javascript; charset=utf-8",
    );
  }
});

it("holds a reader who leaves before a file begins for no failure of its own", async () => {
  const readers = Array.from({ length: 50 }, async () => {
    const reader = connect(Number(new URL(service.url).port), "127.0.0.1");
    reader.on("error", () => undefined);
    await once(reader, "connect");
    reader.write("GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: x\r\n\r\n", () =>
      reader.resetAndDestroy(),
    );
    await once(reader, "close");
  });
  await Promise.all(readers);
  expect((await service.call("/docs/swagger-ui.css", { origin: null })).status).toBe(200);
  expect(service.errors).toEqual([]);
});

it("is where the service's own address leads", async () => {
  const answer = await service.call("/", { origin: null });
  expect([answer.status, answer.headers.location]).toEqual([302, "/docs"]);
  expect((await service.call("/", { method: "POST", origin: null })).status).toBe(405);
});

describe.each(["guide", "embed", "partners"])("the page /docs/%s", (name) => {
  const source = readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), "utf8");
  const read = async () => (await service.call(`/docs/${name}`, { origin: null })).text;
  const shown = (text: string) =>
    text
      .replace(/<[^>]+>/g, "")
      .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
      .replaceAll("&quot;", '"')
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replaceAll("&amp;", "&");

  it("loads from this host alone, and has nothing inline", async () => {
    const page = await service.call(`/docs/${name}`, { origin: null });
    expect([page.status, page.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    expect(String(page.headers["content-security-policy"])).toMatch(/^default-src 'none'; script-src 'self'/);
    expect(page.text).not.toMatch(/<script|<style|<[^>]+\s(style=|on\w+=)|<img (?!src="\/docs\/)/);
  });

  it("has all that its source has: headings with anchors, a list of them, and code to the letter", async () => {
    const page = await read();
    const headings = [...source.matchAll(/^(#{1,3}) (.+)$/gm)].filter(([line]) => !/^# [a-z]/.test(line));
    expect(headings.length).toBeGreaterThan(4);
    const drawn = [...page.matchAll(/<h([123]) id="([^"]+)">(.*?)<\/h/g)];
    expect(drawn.map(([, depth, , inner = ""]) => [Number(depth), shown(inner)])).toEqual(
      headings.map(([, marks = "", text = ""]) => [marks.length, text.replaceAll("`", "")]),
    );
    const ids = drawn.map(([, , id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const listed = [...page.matchAll(/<li><a href="#([^"]+)">/g)].map(([, id]) => id);
    expect(listed).toEqual(drawn.filter(([, depth]) => depth === "2").map(([, , id]) => id));
    const blocks = [...source.matchAll(/```\w+\n([\s\S]*?)\n```/g)].map(([, text]) => text);
    expect(blocks.length).toBeGreaterThan(3);
    expect(
      [...page.matchAll(/<pre tabindex="0">(.*?)<\/pre>/gs)].map(([, text = ""]) => shown(text)),
    ).toEqual(blocks);
  });

  it("leads nowhere that is not there", async () => {
    const page = await read();
    const links = [...page.matchAll(/href="([^"#]*)(#[^"]*)?"/g)].map(([, path = ""]) => path);
    for (const path of new Set(links.filter((link) => link.startsWith("/")))) {
      expect([path, (await service.call(path, { origin: null })).status]).toEqual([path, 200]);
    }
    expect(links.filter((link) => !/^(\/|https:|data:,|$)/.test(link))).toEqual([]);
  });

  it("says in the bar which page it is", async () => {
    expect(await read()).toContain(`<a href="/docs/${name}" aria-current="page">`);
  });
});

describe("the page of errors", () => {
  it("has an anchor for each code, and is where the type of a problem leads", async () => {
    const page = await service.call("/docs/errors", { origin: null });
    expect([page.status, page.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    expect(String(page.headers["content-security-policy"])).toMatch(
      /^default-src 'none'; script-src 'self';/,
    );
    for (const [code, { title }] of Object.entries(errorCodes)) {
      expect(page.text).toContain(`<section id="${code}"><h2>${code} `);
      expect(page.text).toContain(title);
    }
    const problem = await service.call("/v1/offers?website=ws_a", { origin: null });
    const { type, code } = problem.json<{ type: string; code: string }>();
    const { pathname, hash } = new URL(type);
    expect([type.startsWith(`${baseUrl}/`), hash]).toEqual([true, `#${code}`]);
    expect((await service.call(pathname, { origin: null })).text).toBe(page.text);
  });

  it("says nothing twice, and nothing of a code that is none", () => {
    const texts = Object.values(explainedCodes);
    expect(new Set(texts).size).toBe(texts.length);
    expect(Object.keys(explainedCodes).sort()).toEqual(Object.keys(errorCodes).sort());
  });
});

it.each([
  "/docs/",
  "/docs/index.html",
  "/docs/package.json",
  "/docs/swagger-ui-bundle.js.map",
  "/docs/..%2fpackage.json",
])("has no %s", async (path) => {
  const answer = await service.call(path, { origin: null });
  expect(answer.status).toBe(404);
  expect(answer.json()).toMatchObject({ code: "not_found" });
});

it("takes no other method", async () => {
  const answer = await service.call("/docs", { method: "POST", origin: null });
  expect(answer.status).toBe(405);
  expect(answer.headers.allow).toBe("GET, HEAD, OPTIONS");
});

it("has the pictures of its pages", async () => {
  const page = await service.call("/docs/guide", { origin: null });
  const pictures = [...page.text.matchAll(/<img src="([^"]+)"/g)].map(([, file]) => file ?? "");
  expect(pictures).toEqual(["/docs/ranking.svg", "/docs/pacing.svg"]);
  for (const file of pictures) {
    const answer = await service.call(file, { origin: null });
    expect([answer.status, answer.headers["content-type"]]).toEqual([200, "image/svg+xml; charset=utf-8"]);
    expect(answer.text).toMatch(/^<svg /);
  }
});
