import { expect, test } from "vitest";
import { isPageRuledIn } from "./page-rules.ts";

test.each([
  ["every page without rules", [], [], "/", true],
  ["the page that is included", ["/about"], [], "/about", true],
  ["no page beside it", ["/about"], [], "/about/", false],
  ["all pages below a folder", ["/news/*"], [], "/news/2026/ferry.html", true],
  ["the folder itself", ["/news/*"], [], "/news/", true],
  ["no page whose folder only begins alike", ["/news/*"], [], "/newsletter", false],
  ["pages by what they end with", ["*.html"], [], "/a/b.html", true],
  ["not what is behind that", ["*.html"], [], "/a/b.html.txt", false],
  ["pages by what is in the middle", ["/de/*/angebot*"], [], "/de/a/b/angebote/7", true],
  ["pieces in their order alone", ["/*a*b"], [], "/b-a", false],
  ["pages by what is in them, where they begin with it too", ["*/about*"], [], "/about/us", true],
  ["no page without what is in the middle", ["/de/*/angebot*"], [], "/de/a/b", false],
  ["no letter of the middle twice", ["/*ab*b"], [], "/ab", false],
  ["no letter twice", ["/ab*ba"], [], "/aba", false],
  ["a star that is nothing", ["/ab*ba"], [], "/abba", true],
  ["what stands for itself: no dot for any letter", ["/a.b"], [], "/axb", false],
  ["one of several", ["/a", "/b"], [], "/b", true],
  ["no excluded page", [], ["/imprint"], "/imprint", false],
  ["the pages beside it", [], ["/imprint"], "/", true],
  ["no page that is both", ["/news/*"], ["/news/paid/*"], "/news/paid/1", false],
])("the rules let an overlay onto %s", (_name, include, exclude, path, may) => {
  expect(isPageRuledIn({ include, exclude }, path)).toBe(may);
});

test("a website without rules has it everywhere", () => {
  expect(isPageRuledIn(undefined, "/anything")).toBe(true);
});
