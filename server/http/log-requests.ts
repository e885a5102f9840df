import type { RequestHandler } from "express";
import type { Context } from "../context.ts";

/**
 * Writes one line for each answered request at level `debug`; what fails inside the service is logged where it is
 * caught, at any level. No address, no header and no query stands in it: a query may hold a token, an address is
 * personal.
 */
export function logRequests({ log }: Pick<Context, "log">): RequestHandler {
  if (!log.isLevelEnabled("debug")) return (_req, _res, next) => next();
  return (req, res, next) => {
    const startedAt = performance.now();
    // The router shortens `req.path` while it is inside a mounted part.
    const { method, path } = req;
    res.once("finish", () => {
      const milliseconds = Math.round(performance.now() - startedAt);
      log.debug({ method, path, status: res.statusCode, milliseconds }, "request");
    });
    next();
  };
}
