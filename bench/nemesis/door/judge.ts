import { dashErrorCodes, errorCodes } from "@offers/contract/problem";
import type { Heard } from "./exchange.ts";

const codes: Record<string, { status: number }> = { ...errorCodes, ...dashErrorCodes };

/** Where people come themselves, and are told of a problem by a page. */
const pagesOfPeople = /\/(?:v1\/r|dash|connect|v1\/oauth|docs)/i;
/** RFC 6749 has a shape of its own for errors. */
const partners = /\/oauth/i;

/** What of the inside must never stand in an answer. */
const inside =
  /\bat .{1,200}\.ts:\d|SQLITE_|node_modules|better-sqlite3|postgres:\/\/|\bselect\b.{1,200}\bfrom\b|Error: /is;

/**
 * What is wrong with an answer that tells of a problem; null: nothing.
 * @param asked the request's first line, as far as there is one.
 */
export function wrongProblem({ status, headers, body }: Heard, asked: string): string | null {
  if (status < 400 || body === "") return null;
  if (inside.test(body)) return "tells what is inside";
  const type = headers.get("content-type") ?? "";
  if (type.startsWith("text/html") && pagesOfPeople.test(asked)) return null;
  const problem = parse(body);
  if (problem === null) return `is ${type} and no JSON`;
  if (partners.test(asked) && typeof problem.error === "string") return null;
  if (!type.startsWith("application/problem+json")) return `is ${type}`;
  const { type: address, title, detail, code, instance } = problem;
  if (problem.status !== status) return `says ${problem.status}`;
  if (codes[String(code)]?.status !== status) return `has the code ${code}`;
  if ([address, title, detail].some((text) => typeof text !== "string" || text === ""))
    return "lacks a member";
  return instance === headers.get("request-id") ? null : "has another id than its request";
}

/** A service that has too much to do says when to come again; a link that nobody has followed yet is refused without. */
export function isShed({ status, headers }: Heard): boolean {
  return status === 503 && headers.has("retry-after");
}

export function isSpeculation({ status, headers }: Heard, asked: string): boolean {
  return status === 503 && !headers.has("retry-after") && /\/v1\/r/i.test(asked);
}

const parse = (text: string): Record<string, unknown> | null => {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return null;
  }
};
