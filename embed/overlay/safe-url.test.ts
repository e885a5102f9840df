import { describe, expect, test } from "vitest";
import { hopUrl, imageUrl, webUrl } from "./safe-url.ts";

const base = "https://offers.example/";
const local = "http://127.0.0.1:8787/";

describe("a link of an offer", () => {
  test.each([
    ["https://offers.example/v1/r?t=abc", "https://offers.example/v1/r?t=abc"],
    ["/v1/r?t=abc", "https://offers.example/v1/r?t=abc"],
    ["HTTPS://OFFERS.example:443/v1/r?t=abc", "https://offers.example/v1/r?t=abc"],
  ])("%j leads to the service", (text, href) => {
    expect(hopUrl(text, base)).toBe(href);
  });

  test.each([
    "",
    "https://advertiser.example/",
    "https://offers.example.evil.test/v1/r?t=abc",
    "https://offers.example@evil.test/v1/r",
    "https://user@offers.example/v1/r",
    "http://offers.example/v1/r?t=abc",
    "https://offers.example:8443/v1/r",
    "//evil.test/v1/r",
    "blob:https://offers.example/5f3a",
    "javascript:alert(1)",
    "data:text/html,hello",
    "https://",
  ])("%j is refused", (text) => {
    expect(hopUrl(text, base)).toBeNull();
  });

  test("stays below the folder that the service is mounted in", () => {
    expect(hopUrl("/v1/r?t=abc", "https://shared.example/offers/")).toBeNull();
    expect(hopUrl("v1/r?t=abc", "https://shared.example/offers/")).toBe(
      "https://shared.example/offers/v1/r?t=abc",
    );
  });
});

describe("a picture", () => {
  test.each([
    ["https://cdn.example/a.png", base],
    ["/marks/a.svg", base],
    ["http://127.0.0.1:8787/marks/a.svg", local],
    ["http://localhost:8788/a.svg", local],
    ["https://cdn.example/a.png", local],
  ])("%j beside %s is loaded", (text, service) => {
    expect(imageUrl(text, service)).toMatch(/^https?:/);
  });

  test.each([
    ["", base],
    ["http://cdn.example/a.png", base],
    ["data:image/svg+xml,<svg/>", base],
    ["javascript:alert(1)", base],
    ["blob:https://offers.example/5f3a", base],
    ["file:///etc/hosts", local],
    ["data:image/png;base64,AAAA", local],
  ])("%j beside %s is not", (text, service) => {
    expect(imageUrl(text, service)).toBeNull();
  });
});

test.each([
  ["https://journal.example/help", "https://journal.example/help"],
  ["http://localhost:8788/help", "http://localhost:8788/help"],
  ["javascript:alert(1)", null],
  ["/help", null],
  ["", null],
])("a support page %j becomes %j", (text, href) => {
  expect(webUrl(text)).toBe(href);
});
