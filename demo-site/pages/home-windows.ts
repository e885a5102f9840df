import { html, type Markup, trusted } from "../markup.ts";

/** The same page twice: as an allowed visitor sees it, and with offers over it. */
export function homeWindows(): Markup {
  return html`<div class="windows">
  <figure class="window">
    ${trusted(frame(""))}
    <figcaption><strong>Visitor from Germany</strong> sees the page as it is.</figcaption>
  </figure>
  <figure class="window">
    ${trusted(frame(overlay))}
    <figcaption><strong>Visitor from France</strong> is shown offers.</figcaption>
  </figure>
</div>`;
}

const overlay = `<rect class="veil" x="1" y="25" width="298" height="194" rx="0"/>
  <rect class="sheet" x="52" y="42" width="196" height="160" rx="10"/>
  <path class="strong" d="M66 60h96M66 72h140"/>
  <rect class="best" x="66" y="84" width="168" height="40" rx="6"/>
  <rect class="mark" x="74" y="92" width="24" height="24" rx="6"/>
  <path class="strong" d="M108 100h62"/><path class="weak" d="M108 109h44"/>
  <rect class="button" x="192" y="97" width="34" height="14" rx="7"/>
  <g class="rest"><rect x="66" y="132" width="168" height="26" rx="6"/><rect x="66" y="164" width="168" height="26" rx="6"/></g>
  <rect class="mark two" x="72" y="137" width="16" height="16" rx="4"/><path class="weak" d="M98 145h70"/>
  <rect class="mark three" x="72" y="169" width="16" height="16" rx="4"/><path class="weak" d="M98 177h52"/>`;

function frame(above: string): string {
  return `<svg viewBox="0 0 300 220" aria-hidden="true" focusable="false">
  <rect class="glass" x=".5" y=".5" width="299" height="219" rx="12"/>
  <path class="bar" d="M.5 24.5h299"/>
  <g class="dots"><circle cx="15" cy="12.5" r="3"/><circle cx="26" cy="12.5" r="3"/><circle cx="37" cy="12.5" r="3"/></g>
  <path class="title" d="M24 46h150"/>
  <rect class="picture" x="24" y="60" width="252" height="70" rx="5"/>
  <path class="hill" d="M24 118c40-26 70 6 108-8s80-30 144-4v19a5 5 0 0 1-5 5H29a5 5 0 0 1-5-5z"/>
  <path class="line" d="M24 148h252M24 162h240M24 176h252M24 190h180"/>
  ${above}
</svg>`;
}
