import type { RequestHandler } from "express";
import { Problem } from "./problem.ts";

/**
 * Refuses a request that a browser makes ahead of the visitor (Sec-Purpose, or the older Purpose): nobody clicked.
 * With 503 and no-store the browser keeps nothing and asks again when the visitor really comes.
 */
export const refuseSpeculation: RequestHandler = (req, _res, next) => {
  const purpose = `${req.headers["sec-purpose"] ?? ""} ${req.headers.purpose ?? ""}`;
  if (!/\b(?:prefetch|prerender|preview)\b/i.test(purpose)) return next();
  throw new Problem("speculative_request", "Follow the link itself; it is not answered ahead of a click.");
};
