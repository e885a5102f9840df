import type { RequestHandler } from "express";
import helmet from "helmet";
import { Problem } from "./problem.ts";

/** What an answer that is no page may do in a browser: nothing. */
const baseline = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { "default-src": ["'none'"], "base-uri": ["'none'"], "frame-ancestors": ["'none'"] },
  },
  // Embed files lift it; every other answer is read through CORS or not at all.
  crossOriginResourcePolicy: { policy: "same-origin" },
  // Only for this host: what stands below it may not be ours.
  strictTransportSecurity: { maxAge: 31_536_000, includeSubDomains: false },
  // They speak of plug-ins, of Internet Explorer, or say what `frame-ancestors` says.
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xDnsPrefetchControl: false,
  xXssProtection: false,
  xFrameOptions: false,
  originAgentCluster: false,
  crossOriginOpenerPolicy: false,
});

/** The headers that every answer starts from; a route that needs another value sets it later. */
export const setBaselineHeaders: RequestHandler = (req, res, next) => {
  res.setHeader("Vary", "Origin");
  res.setHeader("Cache-Control", "no-store");
  baseline(req, res, next);
};

/** The longest query of the contract is a click token's; a longer one is refused before it is parsed. */
const queryBytes = 2048;

/** Refuses a target that cannot be meant: broken percent-encoding in the path, or an endless query. */
export const checkTarget: RequestHandler = (req, _res, next) => {
  const queryAt = req.url.indexOf("?");
  if (queryAt !== -1 && req.url.length - queryAt - 1 > queryBytes) {
    throw new Problem("malformed_request", `The query must be at most ${queryBytes} bytes.`);
  }
  if (req.url.includes("%") && !isDecodable(req.path)) {
    throw new Problem("malformed_request", "The path is not valid percent-encoded UTF-8.");
  }
  next();
};

const isDecodable = (path: string): boolean => {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
};
