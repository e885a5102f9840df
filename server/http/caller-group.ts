import type { RequestHandler } from "express";
import { Problem } from "./problem.ts";

/**
 * A call with an Authorization header belongs to the servers that hold a key, and never falls back to the embed.
 * A browser must not hold one, so a call that a page made gets no CORS grant and no further.
 */
export const chooseCallerGroup: RequestHandler = (req, _res, next) => {
  if (req.headers.authorization === undefined) return next();
  if (req.headers.origin !== undefined || isCrossSite(req.headers["sec-fetch-site"])) {
    throw new Problem("browser_not_allowed", "A credential must never be sent from a browser.");
  }
  throw new Problem("unauthorized", "The credential is not valid.", {
    headers: { "WWW-Authenticate": "Bearer" },
  });
};

const isCrossSite = (fetchSite: string | string[] | undefined): boolean =>
  fetchSite === "cross-site" || fetchSite === "same-site";
