import { markPath } from "@offers/contract/dash/mark";
import type { Answer } from "./call.ts";
import { escapeHtml } from "./escape-html.ts";
import { styleSource } from "./style-source.ts";

const style = `
:root { color-scheme: light dark; --paper: light-dark(#f6f7fb, #12141c); --card: light-dark(#fff, #1a1d27);
  --ink: light-dark(#141824, #e9ebf4); --soft: light-dark(#555d74, #a4abc2); --line: light-dark(#dde1ec, #333949);
  --accent: light-dark(#3346c4, #a8b5ff); --on-accent: light-dark(#fff, #12141c);
  --wrong: light-dark(#b3261e, #ffb4ab); --wrong-paper: light-dark(#fdeceb, #3b1d1b) }
* { box-sizing: border-box }
[hidden] { display: none !important }
body { margin: 0; min-height: 100vh; display: grid; place-content: center; padding: 1.5rem 1rem;
  font: 0.9375rem/1.5 system-ui, sans-serif; background: var(--paper); color: var(--ink) }
main { width: min(26rem, calc(100vw - 2rem)); background: var(--card); border: 1px solid var(--line);
  border-radius: 10px; padding: 1.75rem }
.mark { display: flex; align-items: center; gap: .6rem; font-weight: 700; margin: 0 0 1.25rem; color: var(--ink) }
.mark svg { width: 1.5rem; height: 1.5rem }
.mark rect { fill: var(--accent) }
.mark path { fill: none; stroke: var(--on-accent); stroke-width: 2; stroke-linecap: round }
h1 { font-size: 1.375rem; line-height: 1.25; margin: 0 0 .5rem; text-wrap: balance; overflow-wrap: anywhere }
p { margin: 0 0 1rem; color: var(--soft); overflow-wrap: anywhere }
ul { margin: 0 0 1rem; padding-left: 1.1rem }
label { display: block; font-weight: 500; margin: 0 0 1rem }
input, select { display: block; width: 100%; height: 2.5rem; margin-top: .25rem; padding: 0 .75rem;
  font: inherit; color: inherit; background: var(--card); border: 1px solid light-dark(#8a91a6, #6d7590);
  border-radius: 8px }
small { display: block; color: var(--soft); font-weight: 400; margin-top: .25rem }
button { width: 100%; min-height: 2.5rem; padding: .5rem .75rem; line-height: 1.4; font: inherit; font-weight: 600; border: 1px solid transparent; border-radius: 8px;
  background: var(--accent); color: var(--on-accent); cursor: pointer; margin-top: .25rem }
button.second { background: none; color: var(--ink); border-color: light-dark(#8a91a6, #6d7590); margin-top: .75rem }
:is(button, input, select, a):focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
.last { margin: 1.25rem 0 0; font-size: .875rem }
.wrong { color: var(--wrong); background: var(--wrong-paper); border-radius: 8px; padding: .6rem .75rem }
a { color: var(--accent) }`;

const styleHash = styleSource(style);

const mark = `<svg viewBox="0 0 24 24" aria-hidden="true"><rect width="24" height="24" rx="6"/><path d="${markPath}"/></svg>`;

/**
 * A page with a form and without any script, for whoever is not signed in yet. `body` is HTML whose texts went through
 * `escapeHtml`.
 * @param page.formTargets origins that the form may lead to besides our own: browsers hold redirects against the policy too.
 */
export function formPage(
  page: { title: string; body: string; formTargets?: readonly string[] },
  status = 200,
): Answer {
  const policy = [
    "default-src 'none'",
    `style-src ${styleHash}`,
    "base-uri 'none'",
    `form-action ${["'self'", ...(page.formTargets ?? [])].join(" ")}`,
    "frame-ancestors 'none'",
  ].join("; ");
  return {
    status,
    headers: [
      "Content-Security-Policy",
      policy,
      // A link's token stands in the address, and is nobody else's business; without any referrer at all, browsers would
      // send the form's Origin as null.
      "Referrer-Policy",
      "same-origin",
      "Cross-Origin-Opener-Policy",
      "same-origin",
      "Content-Type",
      "text/html; charset=utf-8",
    ],
    body:
      `<!doctype html><html lang="en"><head><meta charset="utf-8">` +
      `<meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">` +
      `<title>${escapeHtml(page.title)} · Offers</title><style>${style}</style></head>` +
      `<body><main><p class="mark">${mark} Offers</p><h1>${escapeHtml(page.title)}</h1>${page.body}</main></body></html>`,
  };
}

/** Sends the browser on, by a GET. */
export function seeOther(target: string, more: readonly string[] = []): Answer {
  return { status: 303, headers: ["Location", target, ...more], body: null };
}
