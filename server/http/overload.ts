import type { RequestHandler } from "express";
import type { Context } from "../context.ts";
import { overloaded } from "./known-problem.ts";

/** Refuses while more waits for the disk than can be promised to get there; asked before a body is read. */
export function refuseWhenFull(context: Context): RequestHandler {
  return (_req, _res, next) => {
    if (context.store.journal.isFull()) throw overloaded();
    next();
  };
}
