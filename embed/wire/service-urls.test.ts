import { frequencies } from "@offers/contract/words";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import {
  decisionUrl,
  languageWishes,
  offersUrl,
  serviceBase,
  sessionsUrl,
  sessionUrl,
} from "./service-urls.ts";
import type { LoaderTag } from "./visit.ts";

const tag: LoaderTag = {
  base: "https://offers.example/",
  pub: "pub_a",
  website: "ws_a",
  mode: "overlay",
  simulated: { country: "", region: "" },
  options: {},
};

describe("the service's base", () => {
  test.each([
    ["https://offers.example/embed.js", "https://offers.example/"],
    ["https://offers.example/embed.js?v=3#x", "https://offers.example/"],
    ["https://offers.example/embed-1.4.2.js", "https://offers.example/"],
    ["https://cdn.example/widgets/embed.js", "https://cdn.example/widgets/"],
    ["http://127.0.0.1:8787/embed.js", "http://127.0.0.1:8787/"],
  ])("of %s is %s", (script, base) => {
    expect(serviceBase(script)).toBe(base);
  });

  test("cannot be told from a tag without a source", () => {
    expect(() => serviceBase("")).toThrow(TypeError);
  });
});

describe("the decision's address", () => {
  test("names the two keys and nothing else", () => {
    expect(decisionUrl(tag)).toBe("https://offers.example/v1/decision?pub=pub_a&website=ws_a");
  });

  test("carries how often the overlay is to open, where the tag says so", () => {
    for (const frequency of frequencies) {
      const url = new URL(decisionUrl({ ...tag, options: { frequency } }));
      expect(url.searchParams.get("frequency")).toBe(frequency);
    }
  });

  test.each(["once", "Day", "closed ", "pages", "", undefined])(
    "leaves out a frequency that is none: %j",
    (frequency) => {
      expect(decisionUrl({ ...tag, options: { frequency } })).toBe(decisionUrl(tag));
    },
  );

  test("carries a simulated location", () => {
    const url = new URL(decisionUrl({ ...tag, simulated: { country: "US", region: "US-NJ" } }));
    expect(url.searchParams.get("dev-country")).toBe("US");
    expect(url.searchParams.get("dev-region")).toBe("US-NJ");
  });

  test("escapes what a page's query may bring", () => {
    const url = new URL(decisionUrl({ ...tag, simulated: { country: "a&website=ws_b#", region: "" } }));
    expect(url.searchParams.getAll("website")).toEqual(["ws_a"]);
    expect(url.hash).toBe("");
  });
});

describe("the offers' address", () => {
  beforeAll(() => {
    vi.stubGlobal("document", { documentElement: { lang: "pt-BR" } });
    vi.stubGlobal("navigator", { languages: ["de-AT"] });
  });
  afterAll(() => {
    vi.unstubAllGlobals();
  });

  test("names a place whose region may be blank", () => {
    const visit = { requestId: "req_1", country: "DE", language: "" };
    const asked = (region: string) =>
      Object.fromEntries(new URL(offersUrl(tag, { ...visit, region })).searchParams);
    expect(offersUrl(tag, { ...visit, region: "" })).toMatch(/^https:\/\/offers\.example\/v1\/offers\?/);
    const named = { website: "ws_a", requestId: "req_1", country: "DE", lang: ",pt-BR,de-AT" };
    expect(asked("")).toEqual({ ...named, region: "" });
    expect(asked("BE")).toEqual({ ...named, region: "BE" });
  });

  test.each([
    ["the tag before the website's setting", { lang: "fr" }, "es", "fr,pt-BR,de-AT"],
    ["the website's setting before the page", {}, "es", "es,pt-BR,de-AT"],
    ["nothing where neither says one", {}, "", ",pt-BR,de-AT"],
  ])("wishes for the language of %s", (_name, options, inSettings, wishes) => {
    expect(languageWishes({ ...tag, options }, inSettings)).toBe(wishes);
  });

  test.each<[string, readonly string[] | undefined, string]>([
    ["all that a browser names", ["ca", "es-ES", "es"], ",pt-BR,ca,es-ES,es"],
    ["nothing that stands behind its English", ["sv-SE", "sv", "en-US", "en", "de"], ",pt-BR,sv-SE,sv"],
    ["its English where that comes first", ["en-US", "en", "de"], ",pt-BR,en-US"],
    ["nothing where a page has taken it away", undefined, ",pt-BR,"],
  ])("wishes for %s", (_name, languages, wishes) => {
    vi.stubGlobal("navigator", { languages });
    expect(languageWishes(tag, "")).toBe(wishes);
  });
});

test("a section says so when it asks", () => {
  expect(decisionUrl({ ...tag, mode: "section" })).toMatch(/&mode=section$/);
});

test("a session is opened where the visitor is simulated, and polled by its id alone", () => {
  const placed = { ...tag, simulated: { country: "US", region: "NJ" } };
  const base = "https://offers.example/v1/widget-decline/session";
  expect(sessionsUrl(placed)).toBe(`${base}?pub=pub_a&website=ws_a&dev-country=US&dev-region=NJ`);
  expect(sessionUrl(placed, "dcl_1/..")).toBe(`${base}/dcl_1%2F..?pub=pub_a&website=ws_a`);
});
