import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Express, Response } from "express";
import type { Context } from "../context.ts";
import { allowReading } from "../http/express.ts";
import { type HeldFile, holdFile, sendHeld } from "./held-file.ts";
import { keptChunk, unknownFile } from "./kept-chunk.ts";

/**
 * The loader has the one name that publishers paste, so it is asked for again soon, and stays usable while it is.
 * What the loader imports is named by its hash: another content has another name, so that one never changes. A browser
 * goes on with the loader of the release before for a while, and asks whichever node it is sent to, so chunks of other
 * releases are handed out as well, from the store (decisions.md#chunks-kept).
 */
export function serveEmbed(app: Express, { embedDir, store }: EmbedContext): void {
  const built = readBuilt(embedDir);
  app.all("/embed.js", allowReading, (_req, res) => {
    shareWithEveryPage(res);
    if (!sendBuilt(built, "embed.js", res, forMinutes)) throw unknownFile();
  });
  app.all("/c/:file", allowReading, async (req, res) => {
    const file = String(req.params.file);
    if (!chunkName.test(file)) throw unknownFile();
    shareWithEveryPage(res);
    if (!sendBuilt(built, `c/${file}`, res, forGood)) await sendKept(store, file, res);
  });
}

type EmbedContext = Pick<Context, "embedDir"> & { store: Pick<Context["store"], "findChunk"> };

/** Scripts only: source maps are built, and kept to ourselves. */
const chunkName = /^[A-Za-z0-9_-]{1,80}\.js$/;

const forMinutes = "public, max-age=300, stale-while-revalidate=3600, stale-if-error=86400";
const forGood = "public, max-age=31536000, immutable";

const scriptType = ["Content-Type", "text/javascript; charset=utf-8"];

/** Any page may load it, also one that isolates itself (COEP) or measures it (Resource Timing), and read why it may not. */
const shareWithEveryPage = (res: Response): void => {
  res.setHeader("Access-Control-Allow-Origin", "*");
  res.setHeader("Cross-Origin-Resource-Policy", "cross-origin");
  res.setHeader("Timing-Allow-Origin", "*");
  res.setHeader("Vary", "Accept-Encoding");
};

/** Sends a script that was built, in the smallest form that the caller takes; false where there is none. */
const sendBuilt = (
  built: ReadonlyMap<string, HeldFile>,
  path: string,
  res: Response,
  cacheControl: string,
): boolean => {
  const form = compressedForms.find(
    ({ encoding, suffix }) => built.has(path + suffix) && res.req.acceptsEncodings(encoding) !== false,
  );
  const file = built.get(form ? path + form.suffix : path);
  if (file === undefined) return false;
  sendHeld(res, file, {
    headers: ["Cache-Control", cacheControl],
    content: form ? [...scriptType, "Content-Encoding", form.encoding] : scriptType,
  });
  return true;
};

/** Sends a chunk that another release was built with; what fails on the way is kept by nobody. */
const sendKept = async (store: EmbedContext["store"], file: string, res: Response): Promise<void> => {
  const takesGzip = res.req.acceptsEncodings("gzip") !== false;
  const { encoding, body } = await keptChunk(store, file, { takesGzip });
  res.setHeader("Cache-Control", forGood);
  res.type("text/javascript; charset=utf-8");
  if (encoding !== null) res.setHeader("Content-Encoding", encoding);
  res.send(body);
};

/** What the build lays beside each script, the smaller one first. */
const compressedForms = [
  { encoding: "br", suffix: ".br" },
  { encoding: "gzip", suffix: ".gz" },
] as const;

/** All scripts and their compressed forms, some 210 KB; none before the first build. */
const readBuilt = (folder: string): ReadonlyMap<string, HeldFile> => {
  if (!existsSync(folder)) return new Map();
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const scripts = names.filter((name) => /\.js(\.br|\.gz)?$/.test(name));
  return new Map(scripts.map((name) => [name, holdFile(join(folder, name))]));
};
