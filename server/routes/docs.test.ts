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
  const files = [...page.text.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, file]) => file ?? "");
  expect(files).toHaveLength(4);
  for (const file of files) {
    const answer = await service.call(file, { origin: null });
    expect(answer.status).toBe(200);
    expect(answer.headers["content-type"]).toBe(
      file.endsWith(".css") ? "text/css; charset=utf-8" : "text/javascript; charset=utf-8",
    );
  }
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
