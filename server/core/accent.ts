import { panelColours, tintPercent } from "@offers/contract/look";
import type { Theme } from "@offers/contract/words";

type Scheme = keyof typeof panelColours;

/** Red, green and blue, each from 0 to 255. */
type Colour = readonly number[];

/** What WCAG 2.2 asks of text of any size (success criterion 1.4.3). */
const leastContrast = 4.5;

/**
 * Why an accent, `#rrggbb`, cannot be read where the overlay uses it, with the nearest that can; null when it can. A
 * website that is always dark names the accent of its dark colours, every other one that of its light ones: the other
 * of the two is derived (`accentColours`).
 */
export function accentProblem(accent: string, theme: Theme): string | null {
  const scheme = schemeOf(theme);
  const nearest = legible(accent, scheme);
  if (nearest === accent) return null;
  const contrast = Math.floor(weakestContrast(coloursOf(accent), scheme) * 100) / 100;
  return (
    `must be legible: its weakest contrast in the overlay's ${scheme} colours is ${contrast}:1, ` +
    `at least ${leastContrast}:1 is needed; the nearest that has it is ${nearest}`
  );
}

/** The accent, `#rrggbb`, in light and in dark colours: the saved one, and the nearest of its shades for the other. */
export function accentColours(accent: string): Record<Scheme, string> {
  return { light: legible(accent, "light"), dark: legible(accent, "dark") };
}

const schemeOf = (theme: Theme): Scheme => (theme === "dark" ? "dark" : "light");

/** In how many steps a colour becomes black or white: finer than the 256 shades of a channel. */
const steps = 1024;

/** The first of its shades, towards black on a light ground and towards white on a dark one, that can be read there. */
function legible(accent: string, scheme: Scheme): string {
  const colour = coloursOf(accent);
  const end = scheme === "light" ? 0 : 255;
  for (let step = 0; step <= steps; step += 1) {
    // Whole numbers, since what is judged has to be what is drawn.
    const shade = mixed(colour, [end, end, end], step / steps).map(Math.round);
    if (weakestContrast(shade, scheme) >= leastContrast) return textOf(shade);
  }
  throw new RangeError(`the ${scheme} colours of the overlay let no shade of ${accent} be read`);
}

/** An accent is a text on the panel, the ground of a text in the panel's colour, and a text on its own tint. */
function weakestContrast(accent: Colour, scheme: Scheme): number {
  const panel = coloursOf(panelColours[scheme]);
  const tint = mixed(panel, accent, tintPercent / 100);
  return Math.min(contrastOf(accent, panel), contrastOf(accent, tint));
}

/** WCAG 2.2's contrast ratio, from 1 to 21, in whichever order. */
function contrastOf(one: Colour, other: Colour): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** WCAG 2.2's relative luminance, from 0 to 1. */
function luminanceOf(colour: Colour): number {
  const [red = 0, green = 0, blue = 0] = colour.map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const mixed = (from: Colour, to: Colour, share: number): Colour =>
  from.map((channel, at) => channel + ((to[at] ?? 0) - channel) * share);

const coloursOf = (text: string): Colour => {
  const number = Number.parseInt(text.slice(1), 16);
  return [number >> 16, (number >> 8) & 255, number & 255];
};

const textOf = (colour: Colour): string =>
  `#${colour.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
