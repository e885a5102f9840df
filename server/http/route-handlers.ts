import type { ErrorRequestHandler, RequestHandler } from "express";

/** What one path does, in order: its guards first. */
export type RouteHandlers = (RequestHandler | ErrorRequestHandler)[];
