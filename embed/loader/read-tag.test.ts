import { describe, expect, test } from "vitest";
import { readTag } from "./read-tag.ts";

const source = "https://offers.example/embed.js";
const keys = { pub: "pub_a", website: "ws_a" };
const simulated = (data: Record<string, string>, query: string) =>
  readTag(source, { ...keys, ...data }, query)?.simulated;

test("a tag with its two keys is an overlay of the website's own settings", () => {
  expect(readTag(source, keys, "")).toEqual({
    base: "https://offers.example/",
    pub: "pub_a",
    website: "ws_a",
    mode: "overlay",
    simulated: { country: "", region: "" },
    options: keys,
  });
});

test("a tag may name its mode, and has its other options at hand", () => {
  const data = { ...keys, mode: "section", trigger: "exit" };
  expect(readTag(source, data, "")).toMatchObject({ mode: "section", options: data });
});

test.each([
  ["no key", {}],
  ["no public key", { website: "ws_a" }],
  ["no website key", { pub: "pub_a" }],
  ["an empty key", { pub: "", website: "ws_a" }],
])("a tag with %s is none", (_name, data) => {
  expect(readTag(source, data, "")).toBeNull();
});

describe("a simulated location", () => {
  test("is the tag's", () => {
    expect(simulated({ devCountry: "US", devRegion: "NJ" }, "?dev-country=FR&dev-region=IDF")).toEqual({
      country: "US",
      region: "NJ",
    });
  });

  test("never joins the tag's country to the page's region", () => {
    expect(simulated({ devCountry: "DE" }, "?dev-region=NJ")).toEqual({ country: "DE", region: "" });
  });

  test("is the page's own when the tag names none, or an empty one", () => {
    const page = { country: "US", region: "NJ" };
    expect(simulated({}, "?a=1&dev-country=US&dev-region=NJ")).toEqual(page);
    expect(simulated({ devCountry: "" }, "?dev-country=US&dev-region=NJ")).toEqual(page);
  });
});
