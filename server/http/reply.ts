import type { Response } from "express";

/** Answers 200 with JSON. Leaner than `res.json`: no ETag, no freshness check, no settings to look up. */
export function replyJson(res: Response, body: object): void {
  const text = JSON.stringify(body);
  res.setHeader("Content-Type", "application/json; charset=utf-8");
  res.setHeader("Content-Length", Buffer.byteLength(text));
  res.end(text);
}

/** Answers 204: it is on disk, counted or refused. */
export function replyRecorded(res: Response): void {
  res.statusCode = 204;
  res.end();
}
