import { createHash } from "node:crypto";
import type { Response } from "express";

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
  `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Answers with a page of two sentences; the status is the caller's. Only fixed texts may stand in it. */
export function smallPage(res: Response, words: { title: string; text: string }): void {
  res.setHeader("Content-Security-Policy", policy);
  res.setHeader("Content-Type", "text/html; charset=utf-8");
  res.end(
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
      `<title>${words.title}</title><style>${style}</style></head>` +
      `<body><main><h1>${words.title}</h1><p>${words.text}</p></main></body></html>`,
  );
}
