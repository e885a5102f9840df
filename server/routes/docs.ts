import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Express, RequestHandler, Response } from "express";
import type { Context } from "../context.ts";
import { attributionOf } from "../core/data-licence.ts";
import { escapeHtml } from "../http/escape-html.ts";
import { allowReading } from "../http/express.ts";
import { explanationsPath, Problem } from "../http/problem.ts";
import { articlePage } from "./docs-article.ts";
import { docsPage } from "./docs-page.ts";
import { explainedCodesPage } from "./explained-codes.ts";
import { type HeldFile, holdFile, sendHeld } from "./held-file.ts";

/**
 * The guide, the page on the script tag, the OpenAPI document and the errors as pages. Everything they need comes from
 * here, so they work without a network.
 */
export function serveDocs(app: Express, { geo }: Pick<Context, "geo">): void {
  // Made at each call: the location data may have been replaced by one with another licence.
  const documentPage = () => pageOf(geo.sources().map(({ name, date }) => ({ date, line: creditOf(name) })));
  const errorsPage = explainedCodesPage();
  app.all("/", allowReading, (_req, res) => res.redirect("/docs"));
  app.all("/docs", allowReading, sendPage(documentPage));
  for (const name of ["guide", "embed", "partners"] as const) {
    // Rendered for the first reader: most starts have none.
    let article: string | undefined;
    app.all(
      `/docs/${name}`,
      allowReading,
      sendPage(() => {
        article ??= articlePage(name);
        return article;
      }),
    );
  }
  app.all(
    explanationsPath,
    allowReading,
    sendPage(() => errorsPage),
  );
  app.all("/docs/:file", allowReading, prepareFiles());
}

const sendPage =
  (text: () => string): RequestHandler =>
  (_req, res) => {
    res.setHeader("Content-Security-Policy", policy);
    send(res, "text/html", text());
  };

/** What a licence wants to be said, else the data set's own name. */
const creditOf = (name: string): string => {
  const attribution = attributionOf(name);
  if (attribution === null) return escapeHtml(name);
  return `<a href="${escapeHtml(attribution.url)}">${escapeHtml(attribution.text)}</a>`;
};

/** What the page loads, and nothing else of the viewer's package. */
const prepareFiles = (): RequestHandler => {
  // Read for the first reader: it is two megabytes, and most starts have none.
  const viewer = new Map<string, HeldFile>();
  return (req, res) => {
    const file = String(req.params.file);
    if (file === "init.js") return send(res, "text/javascript", init);
    if (file === "docs.css") return send(res, "text/css", style);
    if (pictures.has(file)) return send(res, "image/svg+xml", pictureOf(file));
    const type = viewerFiles.get(file);
    if (type === undefined) throw new Problem("not_found", "This file does not exist.");
    const held = viewer.get(file) ?? holdFile(join(viewerDir, file));
    viewer.set(file, held);
    sendHeld(res, held, {
      headers: ["Cache-Control", "public, max-age=3600"],
      content: ["Content-Type", `${type}; charset=utf-8`],
    });
  };
};

const viewerDir = fileURLToPath(new URL(".", import.meta.resolve("swagger-ui-dist/package.json")));
const viewerFiles: ReadonlyMap<string, string> = new Map([
  ["swagger-ui.css", "text/css"],
  ["swagger-ui-bundle.js", "text/javascript"],
]);

/** No inline script or style, no other host, no frame: the viewer needs none of them. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const pageOf = (data: readonly { date: string; line: string }[]): string =>
  docsPage({
    path: "/docs",
    title: "interface",
    bodyClass: "reference",
    styles: ["/docs/swagger-ui.css"],
    body: `<div id="docs"></div>
<footer>
<h2>Location data</h2>
<ul>
${data.map(({ date, line }) => `<li>${line}, of ${escapeHtml(date)}</li>`).join("\n")}
</ul>
</footer>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/init.js"></script>`,
  });

const style = readFileSync(new URL("./docs.css", import.meta.url), "utf8");
/** The guide's pictures, which stand beside it in docs/. */
const pictures: ReadonlySet<string> = new Set(["pacing.svg", "ranking.svg"]);
const pictureOf = (file: string): string =>
  readFileSync(new URL(`../../docs/${file}`, import.meta.url), "utf8");
const init = `document.documentElement.classList.toggle("dark-mode", matchMedia("(prefers-color-scheme: dark)").matches);
SwaggerUIBundle({ url: "/v1/openapi.json", dom_id: "#docs", supportedSubmitMethods: [], validatorUrl: null });
`;

const send = (res: Response, type: string, text: string): void => {
  res.setHeader("Content-Type", `${type}; charset=utf-8`);
  res.setHeader("Content-Length", Buffer.byteLength(text));
  res.end(text);
};
