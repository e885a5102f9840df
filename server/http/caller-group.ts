import type { RequestHandler } from "express";
import { credentialRefused } from "./api-key.ts";
import { Problem } from "./problem.ts";

/** A browser must not hold a credential, so a call that a page made with one gets no CORS grant and no further. */
export const refuseBrowserCredentials: RequestHandler = (req, _res, next) => {
  const { authorization, origin } = req.headers;
  if (authorization !== undefined && (origin !== undefined || isCrossSite(req.headers["sec-fetch-site"]))) {
    throw new Problem("browser_not_allowed", "A credential must never be sent from a browser.");
  }
  next();
};

/** Keeps pages out of a route that only a website's own server may call, however it carries its secret. */
export const refuseBrowsers: RequestHandler = (req, _res, next) => {
  if (req.headers.origin !== undefined || isCrossSite(req.headers["sec-fetch-site"])) {
    throw new Problem("browser_not_allowed", "Only the website's own server may call this, never a page.");
  }
  next();
};

/** Leaves a call with an Authorization header to the server group's route of the same path: it is never the embed's. */
export const leaveToServerGroup: RequestHandler = (req, _res, next) =>
  next(req.headers.authorization === undefined ? undefined : "route");

/** Refuses a call with an Authorization header where the server group has no route: it never falls back either. */
export const refuseCredentials: RequestHandler = (req, _res, next) => {
  if (req.headers.authorization !== undefined) throw credentialRefused();
  next();
};

const isCrossSite = (fetchSite: string | string[] | undefined): boolean =>
  fetchSite === "cross-site" || fetchSite === "same-site";
