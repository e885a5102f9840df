import { readFileSync, statSync } from "node:fs";
import type { Response } from "express";
import { writeAnswer } from "../http/node-call.ts";

/** A file as it was when it was read, which is sent from memory (decisions.md#files-in-memory). */
export type HeldFile = {
  body: Uint8Array;
  /** By these two a browser asks whether its copy is still this file (RFC 9110 section 8.8). */
  etag: string;
  lastModified: string;
};

/** Reads a file that changes with a deployment alone, which starts the process anew. */
export function holdFile(path: string): HeldFile {
  const { size, mtime } = statSync(path);
  return {
    body: readFileSync(path),
    // Weak, for it is made of size and time and not of the content.
    etag: `W/"${size.toString(16)}-${mtime.getTime().toString(16)}"`,
    lastModified: mtime.toUTCString(),
  };
}

/**
 * Sends it whole, or tells the caller that its copy is still good. Names and values in turn: `headers` of either answer, and
 * `content` of the body (RFC 9110 section 15.4.5).
 */
export function sendHeld(
  res: Response,
  { body, etag, lastModified }: HeldFile,
  { headers, content }: { headers: readonly string[]; content: readonly string[] },
): void {
  // Express compares these with what the caller has.
  res.setHeader("ETag", etag);
  res.setHeader("Last-Modified", lastModified);
  const isKnown = res.req.fresh;
  const length = ["Content-Length", String(body.byteLength)];
  writeAnswer(res, {
    status: isKnown ? 304 : 200,
    headers: isKnown ? [...headers] : [...headers, ...content, ...length],
    body: isKnown || res.req.method === "HEAD" ? null : body,
  });
}
