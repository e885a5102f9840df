import type { RequestHandler } from "express";
import { Problem } from "./problem.ts";

type Method = "GET" | "HEAD" | "POST";

/**
 * Lets the named methods through, answers OPTIONS, and refuses the rest. HEAD is named where it is meant:
 * Express would run a GET handler for it, and so count what nobody saw.
 */
export function allowMethods(...methods: readonly Method[]): RequestHandler {
  const known: ReadonlySet<string> = new Set(methods);
  const allow = [...methods, "OPTIONS"].join(", ");
  return (req, res, next) => {
    if (known.has(req.method)) return next();
    if (req.method !== "OPTIONS") {
      throw new Problem("method_not_allowed", `The method must be one of ${methods.join(", ")}.`, {
        headers: { Allow: allow },
      });
    }
    // The length lets Safari know that nothing follows.
    res.writeHead(204, { Allow: allow, "Content-Length": "0" }).end();
  };
}
