import { panelColours, tintPercent } from "@offers/contract/look";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { accentColours, accentProblem } from "./accent.ts";

describe("an accent", () => {
  test.each([
    ["the widget's own", "#3346c4", "auto", null],
    ["black", "#000000", "light", null],
    ["the darkest green that needs a shade more", "#0a7d5a", "auto", "4.41:1.*#0a7b59"],
    ["a green a shade darker", "#0a7b59", "auto", null],
    ["a grey that passes on white but not on its own tint", "#767676", "auto", "#6c6c6c"],
    ["a yellow on a light ground", "#ffd400", "auto", "light colours is 1.36:1.*#816b00"],
    ["the same yellow where all is dark", "#ffd400", "dark", null],
    ["a blue where all is dark", "#3346c4", "dark", "dark colours is 2.05:1.*#828edb"],
    ["white on white", "#ffffff", "light", "1:1.*#6c6c6c"],
  ] as const)("that is %s", (_, accent, theme, refused) => {
    const problem = accentProblem(accent, theme);
    if (refused === null) expect(problem).toBeNull();
    else expect(problem).toMatch(new RegExp(refused));
  });

  test.each([
    ["dark", "#0a6b4f", { light: "#0a6b4f", dark: "#5f9f8c" }],
    ["light", "#ffd400", { light: "#816b00", dark: "#ffd400" }],
    ["neither", "#777777", { light: "#6c6c6c", dark: "#939393" }],
  ])(
    "that is %s is drawn as it is where it can be read, and in the nearest shade elsewhere",
    (_, accent, colours) => {
      expect(accentColours(accent)).toEqual(colours);
    },
  );
});

const hex = fc.integer({ min: 0, max: 0xffffff }).map((number) => `#${number.toString(16).padStart(6, "0")}`);

/** As WCAG 2.2 has it, written once more. */
const luminance = (colour: readonly number[]): number =>
  colour
    .map((channel) => channel / 255)
    .map((share) => (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4))
    .reduce((sum, share, at) => sum + share * ([0.2126, 0.7152, 0.0722][at] ?? 0), 0);
const channels = (text: string) => [1, 3, 5].map((at) => Number.parseInt(text.slice(at, at + 2), 16));
const contrast = (one: readonly number[], other: readonly number[]): number => {
  const [a, b] = [luminance(one) + 0.05, luminance(other) + 0.05];
  return Math.max(a / b, b / a);
};

test("of any accent, both colours can be read on the panel and on their tint, and are accepted where they are drawn", () => {
  fc.assert(
    fc.property(hex, (accent) => {
      const colours = accentColours(accent);
      for (const scheme of ["light", "dark"] as const) {
        const [drawn, panel] = [channels(colours[scheme]), channels(panelColours[scheme])];
        const tint = panel.map((channel, at) => channel + (((drawn[at] ?? 0) - channel) * tintPercent) / 100);
        expect(contrast(drawn, panel)).toBeGreaterThanOrEqual(4.5);
        expect(contrast(drawn, tint)).toBeGreaterThanOrEqual(4.5);
        expect(accentProblem(colours[scheme], scheme)).toBeNull();
      }
    }),
  );
});

test("an accent that is refused is so for the colours in which it cannot be read, with one that is accepted", () => {
  fc.assert(
    fc.property(hex, fc.constantFrom("auto", "light", "dark"), (accent, theme) => {
      const problem = accentProblem(accent, theme);
      if (problem === null) return;
      expect(accentProblem(problem.slice(-7), theme)).toBeNull();
      expect(problem).toContain(theme === "dark" ? "dark colours" : "light colours");
    }),
  );
});
