import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Context } from "../../context.ts";
import type { Answer, Call } from "../../http/call.ts";
import type { DashRoute } from "../../http/dash-route.ts";
import { Problem } from "../../http/problem.ts";
import { keptChunk, unknownFile } from "../kept-chunk.ts";

/**
 * Nothing runs but our own files, nothing is asked for elsewhere, and nobody frames it. Logos of websites and brands come
 * from their own hosts.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: https:",
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

type Built = { page: string; files: ReadonlyMap<string, Uint8Array> };

/** The name that a file of the dashboard is kept under: none of the tag's has a slash. */
export const dashChunkName = (file: string): string => `dash/${file}`;

/**
 * The dashboard as it was built: one page at every address below /dash that is nothing else, and its files. While nodes are
 * replaced the page may be another node's, so files of other releases are handed out as well, from the store.
 */
export function dashFileRoutes({
  dashboardDir,
  store,
}: Pick<Context, "dashboardDir"> & { store: Pick<Context["store"], "findChunk"> }): DashRoute[] {
  let built: Built | null = null;
  // Read for the first who asks: the directory changes with a deployment, and that starts the process anew.
  const files = (): Built => {
    built ??= readBuilt(dashboardDir);
    return built;
  };
  const page = (): Answer => ({
    status: 200,
    headers: [
      "Content-Security-Policy",
      policy,
      // Without any referrer browsers send the Origin of the form that signs out as null; where the service has no
      // address of https, that is all they say of where a form comes from.
      "Referrer-Policy",
      "same-origin",
      "Content-Type",
      "text/html; charset=utf-8",
    ],
    body: files().page,
  });
  return [
    {
      endpoint: { method: "GET", path: "/dash/a/:file" },
      answer: (call) => fileAnswer(files(), store, call),
    },
    { endpoint: { method: "GET", path: "/dash" }, isPage: true, answer: page },
    { endpoint: { method: "GET", path: "/dash/*" }, isPage: true, answer: page },
  ];
}

const types: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
};

const fileAnswer = async (
  { files }: Built,
  store: Pick<Context["store"], "findChunk">,
  { path, headers }: Call,
): Promise<Answer> => {
  const name = path.slice("/dash/a/".length);
  const type = types[fileName.exec(name)?.[1] ?? ""];
  if (type === undefined) throw unknownFile();
  const accepted = String(headers["accept-encoding"] ?? "");
  const { encoding, body } =
    builtForm(files, name, accepted) ??
    (await keptChunk(store, dashChunkName(name), { takesGzip: accepted.includes("gzip") }));
  return {
    status: 200,
    headers: [
      // The name holds a hash of the content: another content has another name.
      "Cache-Control",
      "public, max-age=31536000, immutable",
      "Vary",
      "Accept-Encoding",
      "Content-Type",
      type,
      ...(encoding === null ? [] : ["Content-Encoding", encoding]),
    ],
    body,
  };
};

const fileName = /^[A-Za-z0-9_-]{1,80}\.(js|css)$/;

/** A file in the form that the browser takes. */
type Form = { encoding: string | null; body: Uint8Array };

const builtForm = (files: Built["files"], name: string, accepted: string): Form | null => {
  for (const { encoding, suffix } of compressedForms) {
    const body = accepted.includes(encoding) ? files.get(name + suffix) : undefined;
    if (body !== undefined) return { encoding, body };
  }
  const plain = files.get(name);
  return plain === undefined ? null : { encoding: null, body: plain };
};

/** What the build lays beside each file, the smaller one first. */
const compressedForms = [
  { encoding: "br", suffix: ".br" },
  { encoding: "gzip", suffix: ".gz" },
] as const;

const readBuilt = (folder: string): Built => {
  const index = join(folder, "index.html");
  if (!existsSync(index)) throw new Problem("not_found", "The dashboard is not built: run npm run build.");
  const assets = join(folder, "a");
  const names = readdirSync(assets).filter((name) => !name.endsWith(".map"));
  return {
    page: readFileSync(index, "utf8"),
    files: new Map(names.map((name) => [name, readFileSync(join(assets, name))])),
  };
};
