import { existsSync, readdirSync } from "node:fs";
import type { Express, RequestHandler } from "express";
import type { Context } from "../context.ts";
import { allowReading } from "../http/express.ts";
import { Problem } from "../http/problem.ts";

/**
 * The loader has the one name that publishers paste, so it is asked for again soon, and stays usable while it is.
 * What the loader imports is named by its hash: another content has another name, so that one never changes.
 */
export function serveEmbed(app: Express, { embedDir }: Pick<Context, "embedDir">): void {
  const built = filesIn(embedDir);
  app.all(
    "/embed.js",
    allowReading,
    sendScript(embedDir, built, {
      pathOf: () => "embed.js",
      cacheControl: "public, max-age=300, stale-while-revalidate=3600, stale-if-error=86400",
    }),
  );
  app.all(
    "/c/:file",
    allowReading,
    sendScript(embedDir, built, {
      pathOf: (file) => (chunkName.test(file) ? `c/${file}` : null),
      cacheControl: "public, max-age=31536000, immutable",
    }),
  );
}

/** Scripts only: source maps are built, and kept to ourselves. */
const chunkName = /^[A-Za-z0-9_-]{1,80}\.js$/;

const sendScript =
  (
    root: string,
    built: ReadonlySet<string>,
    { pathOf, cacheControl }: { pathOf: (file: string) => string | null; cacheControl: string },
  ): RequestHandler =>
  (req, res, next) => {
    const path = pathOf(String(req.params.file));
    if (path === null) throw notFound();
    // Any page may load it, also one that isolates itself (COEP) or measures it (Resource Timing).
    res.set({
      "Access-Control-Allow-Origin": "*",
      "Cross-Origin-Resource-Policy": "cross-origin",
      "Timing-Allow-Origin": "*",
      "Cache-Control": cacheControl,
    });
    res.setHeader("Vary", "Accept-Encoding");
    res.type("text/javascript; charset=utf-8");
    const form = compressedForms.find(
      ({ encoding, suffix }) => built.has(path + suffix) && req.acceptsEncodings(encoding) !== false,
    );
    if (form) res.setHeader("Content-Encoding", form.encoding);
    const file = form ? path + form.suffix : path;
    res.sendFile(file, { root, cacheControl: false, dotfiles: "deny" }, (error) => {
      if (!error || res.headersSent) return;
      // A chunk that a later deployment brings must not be missing for a year.
      res.setHeader("Cache-Control", "no-store");
      res.removeHeader("Content-Encoding");
      next(notFound());
    });
  };

/** What the build lays beside each script, the smaller one first. */
const compressedForms = [
  { encoding: "br", suffix: ".br" },
  { encoding: "gzip", suffix: ".gz" },
] as const;

/** Looked up once: the directory changes with a deployment, and that starts the process anew. */
const filesIn = (folder: string): ReadonlySet<string> =>
  new Set(existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: "utf8" }) : []);

const notFound = (): Problem => new Problem("not_found", "This file does not exist.");
