import { type Markup, trusted } from "../markup.ts";

/** Turbines on a ridge above the sea; its colours come from the style sheet, so that it can turn to night. */
export function heroDrawing(): Markup {
  const blades = '<path d="M0 0c3-16 3-34 0-52-3 18-3 36 0 52z" id="blade"/>';
  const turbine = (x: number, y: number, size: number, turn: number) =>
    `<g transform="translate(${x} ${y}) scale(${size})"><path class="tower" d="M-2 0-4 150h8L2 0z"/><g transform="rotate(${turn})"><use href="#blade"/><use href="#blade" transform="rotate(120)"/><use href="#blade" transform="rotate(240)"/></g><circle r="4"/></g>`;
  return trusted(`<svg viewBox="0 0 1200 600" role="img" aria-label="Wind turbines on a ridge above the sea, a low sun behind them and a ferry on the water">
  <defs>
    <linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop class="sky-high" offset="0"/><stop class="sky-middle" offset=".55"/><stop class="sky-low" offset="1"/></linearGradient>
    ${blades}
  </defs>
  <rect width="1200" height="600" fill="url(#sky)"/>
  <circle class="sun" cx="815" cy="322" r="74"/>
  <path class="streak" d="M80 120h250M190 150h240M720 96h300M860 128h220M60 226h160M930 214h240"/>
  <path class="far" d="M0 372c120-40 210-34 300-20s180-40 290-30 150 44 260 30 230-50 350-8v256H0z"/>
  <path class="sea" d="M0 420h1200v180H0z"/>
  <path class="glitter" d="M742 436h150M760 454h112M730 476h172M772 500h88M748 528h136M784 556h64"/>
  <g class="ferry"><path d="M958 446h118l-16 24h-86z"/><path d="M976 446v-16h78v16zM992 430v-14h34v14z"/><path class="funnel" d="M1032 430v-22h10v22z"/></g>
  <g class="turbines far-turbines">${turbine(560, 250, 0.62, 14)}${turbine(660, 266, 0.5, 58)}</g>
  <path class="ridge" d="M0 330c90-26 180-30 270 4s150 92 270 116 120 30 190 60 60 60 90 90H0z"/>
  <g class="turbines">${turbine(118, 172, 1.12, 32)}${turbine(262, 212, 0.98, 76)}${turbine(398, 292, 0.86, 8)}</g>
  <path class="near" d="M0 470c70-20 150-16 230 16s190 70 300 114H0z"/>
  <g class="hut"><path d="M96 452v-34l26-18 26 18v34z"/><path class="window-light" d="M112 428h10v12h-10zM126 428h10v12h-10z"/></g>
  <path class="gull" d="M470 150q12-12 22 0 10-12 22 0M540 190q9-9 16 0 8-9 16 0M700 176q7-7 13 0 6-7 13 0"/>
</svg>`);
}

/** One small drawing for each story of the weekend issue. */
export function storyDrawings(): readonly Markup[] {
  const drawings = [
    '<path class="wash" d="M0 88c60-14 90 10 150-2s100-10 170-2v56H0z"/><path class="mesh" d="M60-10 200 150M100-10 240 150M140-10 280 150M20-10 160 150M260-10 100 150M220-10 60 150M300-10 140 150M180-10 20 150"/><circle class="spot" cx="250" cy="46" r="16"/>',
    '<circle class="wash" cx="160" cy="78" r="58"/><circle class="dial" cx="160" cy="78" r="46"/><path class="dial" d="M160 32v10M206 78h-10M114 78h10M192 46l-7 7M128 46l7 7M160 78l26-22"/><circle class="spot" cx="160" cy="78" r="6"/>',
    '<path class="wash" d="M60 84h200a100 54 0 0 1-200 0z"/><path class="mesh" d="M124 70c-16-20 14-28 0-52M160 70c-16-20 14-28 0-52M196 70c-16-20 14-28 0-52"/><circle class="spot" cx="250" cy="58" r="8"/><circle class="spot" cx="272" cy="70" r="5"/>',
  ];
  return drawings.map((content) =>
    trusted(
      `<svg class="story-drawing" viewBox="0 0 320 140" aria-hidden="true" focusable="false">${content}</svg>`,
    ),
  );
}
