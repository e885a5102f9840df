import { members, texts } from "./json-shape.ts";

/** What a website has chosen of how things look, from a decision's settings: as a style sheet, which no policy forbids. */
export function lookCss(settings: unknown): string {
  const { accent, accentDark, font } = texts(settings, "accent", "accentDark", "font");
  const { radius } = members(settings);
  const areColours = /^(#[0-9a-f]{6}){2}$/.test(accent + accentDark);
  const colours = areColours ? `--own:${accent};--own-dark:${accentDark};` : "";
  const corners = typeof radius === "number" ? `--radius:${radius}px;` : "";
  // The root element takes nothing from the page but this.
  const [pages, ours] =
    font === "inherit" ? [":host{font-family:inherit!important}", "font-family:inherit"] : ["", ""];
  return `${pages}[data-theme]{${colours}${corners}${ours}}`;
}
