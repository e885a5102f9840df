import { existsSync, readdirSync } from "node:fs";
import type { Express, Response } from "express";
import type { Context } from "../context.ts";
import { allowReading } from "../http/express.ts";
import { keptChunk, unknownFile } from "./kept-chunk.ts";

/**
 * The loader has the one name that publishers paste, so it is asked for again soon, and stays usable while it is.
 * What the loader imports is named by its hash: another content has another name, so that one never changes. A browser
 * goes on with the loader of the release before for a while, and asks whichever node it is sent to, so chunks of other
 * releases are handed out as well, from the store (decisions.md#chunks-kept).
 */
export function serveEmbed(app: Express, { embedDir, store }: EmbedContext): void {
  const send = prepareSending(embedDir);
  app.all("/embed.js", allowReading, (_req, res, next) => {
    const cacheControl = "public, max-age=300, stale-while-revalidate=3600, stale-if-error=86400";
    send("embed.js", res, { cacheControl, otherwise: () => next(unknownFile()) });
  });
  app.all("/c/:file", allowReading, (req, res, next) => {
    const file = String(req.params.file);
    if (!chunkName.test(file)) throw unknownFile();
    send(`c/${file}`, res, {
      cacheControl: forGood,
      otherwise: () => void sendKept(store, file, res).catch(next),
    });
  });
}

type EmbedContext = Pick<Context, "embedDir"> & { store: Pick<Context["store"], "findChunk"> };

/** Scripts only: source maps are built, and kept to ourselves. */
const chunkName = /^[A-Za-z0-9_-]{1,80}\.js$/;

const forGood = "public, max-age=31536000, immutable";

/** Sends a file that was built; where there is none, `otherwise` answers. */
const prepareSending = (root: string) => {
  const built = filesIn(root);
  return (
    path: string,
    res: Response,
    { cacheControl, otherwise }: { cacheControl: string; otherwise: () => void },
  ): void => {
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
      ({ encoding, suffix }) => built.has(path + suffix) && res.req.acceptsEncodings(encoding) !== false,
    );
    if (form) res.setHeader("Content-Encoding", form.encoding);
    const file = form ? path + form.suffix : path;
    res.sendFile(file, { root, cacheControl: false, acceptRanges: false, dotfiles: "deny" }, (error) => {
      if (!error || res.headersSent) return;
      // A chunk that a later deployment brings must not be missing for a year.
      res.setHeader("Cache-Control", "no-store");
      res.removeHeader("Content-Encoding");
      otherwise();
    });
  };
};

/** Sends a chunk that another release was built with. */
const sendKept = async (store: EmbedContext["store"], file: string, res: Response): Promise<void> => {
  const takesGzip = res.req.acceptsEncodings("gzip") !== false;
  const { encoding, body } = await keptChunk(store, file, { takesGzip });
  res.setHeader("Cache-Control", forGood);
  if (encoding !== null) res.setHeader("Content-Encoding", encoding);
  res.send(body);
};

/** What the build lays beside each script, the smaller one first. */
const compressedForms = [
  { encoding: "br", suffix: ".br" },
  { encoding: "gzip", suffix: ".gz" },
] as const;

/** Looked up once: the directory changes with a deployment, and that starts the process anew. */
const filesIn = (folder: string): ReadonlySet<string> =>
  new Set(existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: "utf8" }) : []);
