import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";
import { expect, test, vi } from "vitest";

const source = readFileSync(new URL("./preview-probe.js", import.meta.url), "utf8");
const service = "http://127.0.0.1:8787";

type Told = { type: string; id?: number; [member: string]: unknown };

/** A window with just what the probe touches, around a fetch of the test's choosing. */
function openPage(fetch: (...args: never[]) => unknown, { framed = true } = {}) {
  const told: Told[] = [];
  const listeners = new Map<string, (event: object) => void>();
  class HTMLAnchorElement {
    readonly href: string;
    constructor(href: string) {
      this.href = href;
    }
  }
  const parent = { postMessage: (message: Told) => told.push(message) };
  const window: Record<string, unknown> = {
    fetch,
    addEventListener: (name: string, listener: (event: object) => void) => listeners.set(name, listener),
  };
  window.parent = framed ? parent : window;
  const page = { origin: "http://localhost:8788" };
  runInNewContext(source, {
    window,
    location: page,
    document: {
      currentScript: { dataset: { service, own: "/preview/loan/" } },
      baseURI: `${page.origin}/preview/article`,
    },
    performance: { now: () => 0 },
    PerformanceObserver: class {
      observe() {}
    },
    HTMLAnchorElement,
    HTMLScriptElement: class {},
    URL,
    Request,
  });
  listeners.get("message")?.({ source: parent, origin: page.origin, data: { source: "preview-panel" } });
  return {
    told,
    types: () => told.map(({ type }) => type),
    fetch: window.fetch as typeof globalThis.fetch,
    emit: (name: string, event: object) => listeners.get(name)?.(event),
    link: (href: string) => new HTMLAnchorElement(href),
  };
}

test("a call gets the very arguments, and gives back the very promise", async () => {
  const promise = Promise.resolve(new Response("{}"));
  const original = vi.fn(function (this: unknown, ..._args: unknown[]) {
    return promise;
  });
  const page = openPage(original);
  const init = { method: "POST", body: '{"offerId":"offer_a"}', keepalive: true };
  const self = { of: "caller" };
  expect(page.fetch.call(self as never, `${service}/v1/events/click`, init)).toBe(promise);
  expect(original.mock.calls).toEqual([[`${service}/v1/events/click`, init]]);
  expect(original.mock.calls[0]?.[1]).toBe(init);
  expect(original.mock.contexts[0]).toBe(self);
  await promise;
});

test("the answer can still be read by the tag, and the panel is told the same", async () => {
  const page = openPage(async () => new Response('{"allowed":true}', { status: 200 }));
  const answer = await page.fetch(`${service}/v1/decision?pub=pub_a`);
  expect(answer.bodyUsed).toBe(false);
  expect(await answer.json()).toEqual({ allowed: true });
  await vi.waitFor(() => expect(page.types()).toContain("answered"), { timeout: 10_000 });
  expect(page.told.find(({ type }) => type === "sent")).toMatchObject({
    method: "GET",
    url: `${service}/v1/decision?pub=pub_a`,
    body: null,
  });
  expect(page.told.find(({ type }) => type === "answered")).toMatchObject({
    id: 1,
    status: 200,
    body: '{"allowed":true}',
  });
});

test("an answer without a body is no obstacle", async () => {
  const page = openPage(async () => new Response(null, { status: 204 }));
  expect((await page.fetch(`${service}/v1/events/impression`, { method: "POST", body: "{}" })).status).toBe(
    204,
  );
  await vi.waitFor(() => expect(page.types()).toContain("answered"), { timeout: 10_000 });
  expect(page.told.at(-1)).toMatchObject({ status: 204, body: "" });
});

test("an error is the same error, whether it is thrown or rejected", async () => {
  const trouble = new TypeError("Failed to fetch");
  const rejecting = openPage(() => Promise.reject(trouble));
  await expect(rejecting.fetch(`${service}/v1/decision`)).rejects.toBe(trouble);
  await vi.waitFor(() => expect(rejecting.types()).toContain("failed"), { timeout: 10_000 });
  const throwing = openPage(() => {
    throw trouble;
  });
  expect(() => throwing.fetch(`${service}/v1/decision`)).toThrow(trouble);
  expect(throwing.told.at(-1)).toMatchObject({ type: "failed", error: "TypeError: Failed to fetch" });
});

test("a Request is passed on unread", async () => {
  const original = vi.fn(async (..._args: unknown[]) => new Response("{}"));
  const page = openPage(original);
  const request = new Request(`${service}/v1/offers`, { method: "POST", body: "kept" });
  await page.fetch(request);
  expect(original.mock.calls[0]?.[0]).toBe(request);
  expect(request.bodyUsed).toBe(false);
  expect(page.told.find(({ type }) => type === "sent")).toMatchObject({ method: "POST", body: null });
});

test.each([
  ["another host", "https://elsewhere.example/v1/decision"],
  ["a host that only begins alike", `${service}@elsewhere.example/v1/decision`],
  ["the page's own host", "/article"],
  ["no address at all", undefined],
])("a call to %s goes through untold", async (_name, address) => {
  const original = vi.fn(async (..._args: unknown[]) => new Response(""));
  const page = openPage(original);
  await page.fetch(address as string);
  expect(original.mock.calls[0]?.[0]).toBe(address);
  expect(page.types()).not.toContain("sent");
});

test("a link to the click hop is told, one to somewhere else is not", () => {
  const page = openPage(async () => new Response(""));
  const click = (href: string, type = "click", button = 0) =>
    page.emit(type, { type, button, composedPath: () => [{}, page.link(href), {}] });
  click("http://localhost:8788/article");
  click(`${service}/v1/r?t=right`, "auxclick", 2);
  expect(page.types()).not.toContain("hop");
  click(`${service}/v1/r?t=abc`);
  click(`${service}/v1/r?t=middle`, "auxclick", 1);
  expect(page.told.filter(({ type }) => type === "hop").map(({ url }) => url)).toEqual([
    `${service}/v1/r?t=abc`,
    `${service}/v1/r?t=middle`,
  ]);
});

test("what happened before the panel listened is told in order, and only to the panel", () => {
  const page = openPage(async () => new Response(""));
  expect(page.types()).toEqual(["hello", "opened"]);
});

test("a page outside the panel keeps its fetch", () => {
  const original = async () => new Response("");
  expect(openPage(original, { framed: false }).fetch).toBe(original);
});

test("what the page asks of its own server is told where the panel has a use for it, and nothing else is", async () => {
  const page = openPage(async () => new Response("{}"));
  await page.fetch("/preview/loan/apply", { method: "POST", body: '{"amount":"500"}' });
  await page.fetch("/preview/loans", { method: "POST", body: "{}" });
  const sent = page.told.filter(({ type }) => type === "sent");
  expect(sent).toMatchObject([{ method: "POST", body: '{"amount":"500"}' }]);
});
