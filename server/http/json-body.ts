import express, { type RequestHandler } from "express";
import { Problem } from "./problem.ts";

/** Promised by the contract: an event of a browser is far smaller. */
const bodyBytes = 16 * 1024;
/** Members of the object and of whatever it holds; no body of the contract comes near. */
const bodyMembers = 64;
/** A browser sends text/plain without asking first, so our own client does (Fetch, "simple" content types). */
const pageBodyTypes = ["application/json", "text/plain"];

/** Reads a body of JSON, whichever of the given types it is called, and leaves the object in `req.body`. */
export function parseJsonBody(types: readonly string[] = pageBodyTypes): RequestHandler[] {
  return [
    requireBodyType(types),
    express.raw({ type: [...types], limit: bodyBytes }),
    (req, _res, next) => {
      req.body = toObject(req.body);
      next();
    },
  ];
}

const requireBodyType =
  (types: readonly string[]): RequestHandler =>
  (req, _res, next) => {
    const type = req.headers["content-type"] ?? "";
    const charset = /;\s*charset="?([^";\s]*)/i.exec(type)?.[1] ?? "utf-8";
    // `false`: a body of another type; `null`: no body at all, which is answered as an empty one.
    if (req.is([...types]) !== false && /^utf-?8$/i.test(charset)) return next();
    throw new Problem(
      "unsupported_media_type",
      `The body must be JSON in UTF-8, sent as ${types.join(" or ")}.`,
    );
  };

const toObject = (bytes: unknown): object => {
  const parsed = bytes instanceof Uint8Array ? parseJson(bytes) : undefined;
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) {
    throw new Problem("invalid_body", "The body must be one JSON object in UTF-8.");
  }
  if (countMembers(parsed, 0) > bodyMembers) {
    throw new Problem("invalid_body", `The body must hold at most ${bodyMembers} members.`);
  }
  return parsed;
};

const parseJson = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
};

/** Stops as soon as the answer is "too many", which also bounds how deep it goes. */
const countMembers = (value: unknown, before: number): number => {
  let count = before;
  if (typeof value !== "object" || value === null) return count;
  for (const member of Object.values(value)) {
    count += 1;
    if (count > bodyMembers) return count;
    count = countMembers(member, count);
  }
  return count;
};
