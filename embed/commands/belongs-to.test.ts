import { expect, test } from "vitest";
import { belongsTo, combined, joined } from "./belongs-to.ts";

test.each([
  ["a trigger", { website: "ws_a" }, { trigger: "manual" }, true],
  ["the keys, where tag managers strip attributes", {}, { pub: "pub_a", website: "ws_a" }, true],
  ["keys and mode, where the tag has none", {}, { website: "ws_a", mode: "section", container: "#a" }, true],
  ["the mode that it has without a word", { website: "ws_a" }, { mode: "overlay" }, true],
  ["another mode than its own", { website: "ws_a", mode: "section" }, { mode: "overlay" }, false],
  ["its own container", { website: "ws_a", container: "#a", mode: "section" }, { container: "#a" }, true],
  ["a mode, where the tag has none and names no website", {}, { mode: "section" }, true],
  ["the same website", { website: "ws_a" }, { website: "ws_a", words: {} }, true],
  ["another website", { website: "ws_a" }, { website: "ws_b" }, false],
  ["a section", { website: "ws_a" }, { mode: "section", container: "#a" }, false],
  ["another container", { website: "ws_a", mode: "section", container: "#a" }, { container: "#b" }, false],
  ["a place that the overlay has not", { website: "ws_a" }, { container: "#a" }, false],
  ["a place, where the section names none", { website: "ws_a", mode: "section" }, { container: "#a" }, true],
])("init with %s belongs to the tag %j: %j is %j", (_name, tag, more, belongs) => {
  expect(belongsTo(tag, more)).toBe(belongs);
});

test("something beside the tag takes its keys and words, and not its place", () => {
  const tag = {
    pub: "pub_a",
    website: "ws_a",
    wordsClose: "Away",
    trigger: "exit",
    container: "#a",
    height: "300",
  };
  expect(joined(tag, { mode: "section", container: "#b" })).toEqual({
    pub: "pub_a",
    website: "ws_a",
    wordsClose: "Away",
    mode: "section",
    container: "#b",
  });
});

test("a tag that wants nothing begun goes on wanting that until a mode is named", () => {
  expect(joined({ mode: "none" }, { lang: "de" })).toEqual({ mode: "none", lang: "de" });
  expect(joined({ mode: "none" }, { mode: "overlay" })).toEqual({ mode: "overlay" });
});

test("what is false or nothing counts as not there, and takes away what stood there", () => {
  const tag = { website: "ws_a", lang: "de", consent: "tcf", trigger: "exit", accent: "" };
  const more = { lang: false, consent: null, trigger: undefined, limit: 0, words: {}, report: true };
  expect(combined(tag, more)).toEqual({ website: "ws_a", accent: "", limit: 0, words: {}, report: true });
});
