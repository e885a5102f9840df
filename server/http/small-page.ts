import type { Answer } from "./call.ts";
import type { Problem } from "./problem.ts";
import { styleSource } from "./style-source.ts";

export const pageType = "text/html; charset=utf-8";

const style = `
:root { color-scheme: light dark }
body { margin: 0; min-height: 100vh; display: grid; place-content: center; padding: 2rem;
  font: 1rem/1.6 system-ui, sans-serif; background: Canvas; color: CanvasText }
main { max-width: 26rem; border-top: 4px solid #4f6bed; padding-top: 1.5rem }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .75rem; text-wrap: balance }
p { margin: 0; opacity: .8 }`;

/** No script, no font, no image, no form: only this one style sheet, named by its hash. */
const policy = [
  "default-src 'none'",
  `style-src ${styleSource(style)}`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

type Words = { title: string; text: string };

/** A page of two sentences for a visitor who followed a link. Only fixed texts may stand in it. */
export function smallPage({ title, text }: Words, status = 200): Answer {
  const body =
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
    `<title>${title}</title><style>${style}</style></head>` +
    `<body><main><h1>${title}</h1><p>${text}</p></main></body></html>`;
  return {
    status,
    headers: ["Content-Security-Policy", policy, "Content-Type", pageType],
    body,
  };
}

/** A problem as it is told to a visitor, not to a developer. */
export function problemPage(problem: Problem): Answer {
  const page = smallPage(pageTexts[problem.code] ?? otherText, problem.status);
  const headers = [...problem.headers.flat(), ...page.headers];
  return { ...page, headers, outcome: { kind: "refused", by: problem.code } };
}

const otherText = {
  title: "This link cannot be opened",
  text: "Go back to the page that you came from and try again.",
};

const tryAgainText = {
  title: "One moment, please",
  text: "The service is busy. Reload this page in a few seconds.",
};

const pageTexts: Partial<Record<Problem["code"], Words>> = {
  invalid_token: {
    title: "This link is not complete",
    text: "Part of its address is missing or was changed. Go back to the page that you came from and follow the link again.",
  },
  offer_gone: {
    title: "This offer has ended",
    text: "The advertiser no longer offers it. Nothing was recorded about your visit.",
  },
  cross_site: {
    title: "This was not asked for by a page of ours",
    text: "Open the dashboard itself and try again there. Nothing was changed.",
  },
  rate_limited: {
    title: "Too many attempts",
    text: "Wait a few minutes and try again.",
  },
  unavailable: tryAgainText,
  overloaded: tryAgainText,
  speculative_request: tryAgainText,
};
