import type { Brand } from "./brands.ts";

/** A square logo as an SVG file of its own, free of style sheets, so that it looks alike wherever it is shown. */
export function brandLogo({ name, colour, glyph }: Brand): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="128" height="128" role="img">
  <title>${name}</title>
  <rect width="64" height="64" rx="15" fill="${colour}"/>
  <path d="M15 0h34c8 0 15 7 15 15v9C48 8 20 14 0 40V15C0 7 7 0 15 0z" fill="#fff" fill-opacity=".1"/>
  <g fill="none" stroke="#fff" stroke-width="4" stroke-linecap="round" stroke-linejoin="round">${glyph}</g>
</svg>
`;
}

/** The colours of a brand for its landing page, as a style sheet: the policy there allows no inline style. */
export function brandColours({ colour, bright }: Brand): string {
  return `:root { --brand: ${colour}; --brand-text: ${colour}; }
@media (prefers-color-scheme: dark) { :root { --brand-text: ${bright}; } }
`;
}
