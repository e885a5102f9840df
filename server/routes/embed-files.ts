import type { RequestHandler } from "express";
import type { Context } from "../context.ts";
import { allowMethods } from "../http/allowed-methods.ts";
import { Problem } from "../http/problem.ts";
import type { RouteHandlers } from "../http/route-handlers.ts";

/** /embed.js: the one name that publishers paste, so it is asked for again soon, and stays usable while it is. */
export const embedLoaderRoute = (context: Context): RouteHandlers =>
  fileRoute(
    context,
    () => "embed.js",
    "public, max-age=300, stale-while-revalidate=3600, stale-if-error=86400",
  );

/** /c/<hash>.js: what the loader imports. Another content has another name, so this one never changes. */
export const embedChunkRoute = (context: Context): RouteHandlers =>
  fileRoute(
    context,
    (file) => (chunkName.test(file) ? `c/${file}` : null),
    "public, max-age=31536000, immutable",
  );

/** Scripts only: source maps are built, and kept to ourselves. */
const chunkName = /^[A-Za-z0-9_-]{1,80}\.js$/;

const fileRoute = (
  context: Context,
  pathOf: (file: string) => string | null,
  cacheControl: string,
): RouteHandlers => {
  const send: RequestHandler<{ file?: string }> = (req, res, next) => {
    const path = pathOf(req.params.file ?? "");
    if (path === null) throw notFound();
    // Any page may load it, also one that isolates itself (COEP) or measures it (Resource Timing).
    res.set({
      "Access-Control-Allow-Origin": "*",
      "Cross-Origin-Resource-Policy": "cross-origin",
      "Timing-Allow-Origin": "*",
      "Cache-Control": cacheControl,
    });
    res.removeHeader("Vary");
    res.sendFile(path, { root: context.embedDir, cacheControl: false, dotfiles: "deny" }, (error) => {
      if (!error || res.headersSent) return;
      // A chunk that a later deployment brings must not be missing for a year.
      res.setHeader("Cache-Control", "no-store");
      next(notFound());
    });
  };
  return [allowMethods("GET", "HEAD"), send as RequestHandler];
};

const notFound = (): Problem => new Problem("not_found", "This file does not exist.");
