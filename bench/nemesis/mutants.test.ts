import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { repositoryRoot } from "../program.ts";
import { applyEdit } from "./broken-copy.ts";
import { trials } from "./trials.ts";

const mutants = trials.flatMap(({ id, mutants: own }) => own.map((mutant) => ({ id, ...mutant })));

test("every trial has an id of its own, and a mutant", () => {
  expect(new Set(trials.map(({ id }) => id)).size).toBe(trials.length);
  expect(trials.filter(({ mutants: own }) => own.length === 0).map(({ id }) => id)).toEqual([]);
});

/** As far as a trial's own text tells: it asks for its profile, or hands its options on to what does. */
const asksForItsSize = /\b(?:profile|sizesOf|outagesOf|losePower)\b/;

test.each(trials.map(({ id, figure, run }) => ({ id, figure, text: String(run) })))(
  "the figure of $id is one of the run that was made",
  ({ figure, text }) => {
    if (!asksForItsSize.test(text)) expect(figure).toEqual(expect.any(String));
    else expect(figure).toEqual({ full: expect.any(String), quick: expect.any(String) });
    if (typeof figure !== "string") expect(figure.quick).not.toBe(figure.full);
  },
);

test.each(mutants)("what the mutant of $id replaces stands there once: $name", ({ edits }) => {
  expect(edits.length).toBeGreaterThan(0);
  const texts = new Map<string, string>();
  for (const edit of edits) {
    const text = texts.get(edit.file) ?? readFileSync(join(repositoryRoot, edit.file), "utf8");
    const broken = applyEdit(text, edit);
    expect(broken).not.toBe(text);
    texts.set(edit.file, broken);
  }
});

describe("an edit", () => {
  const edit = { file: "a.ts", old: "b", new: "$&c" };

  test("takes its new text literally", () => {
    expect(applyEdit("abc", edit)).toBe("a$&cc");
  });

  test.each(["ac", "abb"])("of %j is refused: what it replaces is gone, or there twice", (text) => {
    expect(() => applyEdit(text, edit)).toThrow(/^a\.ts: expected once and found [02] times: b$/);
  });
});
