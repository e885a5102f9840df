import { snippetPingBody } from "@offers/contract/events";
import { beforeAll, expect, test, vi } from "vitest";
import { readTag } from "./read-tag.ts";
import { snippetPing } from "./snippet-ping.ts";

const tag = readTag("https://offers.example/embed.js", { pub: "pub_a", website: "ws_a" }, "");

beforeAll(() => {
  vi.stubGlobal("__EMBED_VERSION__", "1.4.2");
});

test.each([
  ["a page", { origin: "https://journal.example", pathname: "/a/b" }],
  ["a page with an endless path", { origin: "https://journal.example", pathname: `/${"x".repeat(900)}` }],
  ["a frame that its page has written", { origin: "null", pathname: "srcdoc" }],
])("the ping of %s is what the service takes", (_name, page) => {
  if (!tag) throw new Error("the tag is complete");
  expect(snippetPingBody.safeParse(snippetPing(tag, page)).error).toBeUndefined();
});

test("the ping tells neither query nor fragment", () => {
  if (!tag) throw new Error("the tag is complete");
  const page = new URL("https://journal.example/a?mail=reader@example.org#here");
  expect(snippetPing(tag, page)).toEqual({
    websiteKey: "ws_a",
    pub: "pub_a",
    url: "https://journal.example/a",
    scriptVersion: "1.4.2",
    surface: "overlay",
  });
});
