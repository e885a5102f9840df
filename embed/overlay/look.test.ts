import { readFileSync } from "node:fs";
import { panelColours, tintPercent } from "@offers/contract/look";
import { expect, test } from "vitest";
import { lookCss } from "./look.ts";

const colours = { accent: "#0a6b4f", accentDark: "#5f9f8c" };
const inherited = ":host{font-family:inherit!important}[data-theme]{font-family:inherit}";

test.each([
  ["nothing", {}, "[data-theme]{}"],
  ["no settings at all", undefined, "[data-theme]{}"],
  ["an accent", colours, "[data-theme]{--own:#0a6b4f;--own-dark:#5f9f8c;}"],
  ["square corners", { radius: 0 }, "[data-theme]{--radius:0px;}"],
  ["the page's font", { font: "inherit" }, inherited],
  ["its own font", { font: "own" }, "[data-theme]{}"],
  ["half an accent", { accent: "#0a6b4f" }, "[data-theme]{}"],
  ["a style for an accent", { ...colours, accent: "#0a6b4f;}*{display:none}" }, "[data-theme]{}"],
  ["a style for a radius", { radius: "4px;}*{display:none}" }, "[data-theme]{}"],
  ["a style for a font", { font: "inherit;}*{display:none}" }, "[data-theme]{}"],
])("a website that has chosen %s", (_, settings, css) => {
  expect(lookCss(settings)).toBe(css);
});

test("the style sheet has the grounds that accents are checked against, and takes what a website has chosen", () => {
  const sheet = readFileSync(`${import.meta.dirname}/style/colours.css`, "utf8");
  const [light = "", dark = ""] = Array.from(sheet.matchAll(/--panel: (#[\da-f]+)/g), ([, colour]) => colour);
  expect(light.replace(/^#(.)(.)(.)$/, "#$1$1$2$2$3$3")).toBe(panelColours.light);
  expect(dark).toBe(panelColours.dark);
  expect(sheet).toContain(`--tint: color-mix(in srgb, var(--accent) ${tintPercent}%, var(--panel));`);
  for (const name of ["--own", "--own-dark"]) expect(sheet).toContain(`--accent: var(${name}, `);
});
