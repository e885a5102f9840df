import type { StorageTrouble } from "../journal/journal.ts";

/** Codes of the network that a connection breaks by. */
const networkCodes = [
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
];

/**
 * What the database or the way to it suffers from, when an error says so; null for any other error, such as a value that it
 * refuses. A connection that was lost (class 08, 57P), no room (53), a lock that was waited for too long, a deadlock or a
 * conflict that was solved against us, a transaction that was ended for idling or for the time it took, a standby where the primary should be (25006),
 * and what follows from the first error of a transaction (25P02).
 * Source: PostgreSQL's documentation, appendix A.
 */
export function storageTrouble(error: unknown): StorageTrouble | null {
  if (!(error instanceof Error)) return null;
  const code = "code" in error && typeof error.code === "string" ? error.code : null;
  if (code === null) return isLostConnection(error) ? { code: "08006", retryAfterSeconds: 1 } : null;
  const isTrouble =
    networkCodes.includes(code) ||
    /^(?:08|53|57|58|XX)/.test(code) ||
    ["40001", "40P01", "55P03", "25P02", "25P03", "25P04", "25006", "22012"].includes(code);
  return isTrouble ? { code, retryAfterSeconds: /^5[38]/.test(code) ? 10 : 1 } : null;
}

/** Whether it was somebody else's lock that was waited for, or a conflict with somebody else's change. */
export function isLockedByAnother(error: unknown): boolean {
  return (
    error instanceof Error && "code" in error && ["55P03", "40P01", "40001"].includes(String(error.code))
  );
}

/** Whether the connection broke, or the server ended it: what was sent last may have been done or not. */
export function isConnectionLost(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  if (!("code" in error) || typeof error.code !== "string") return isLostConnection(error);
  return ["ECONNRESET", "EPIPE", "ETIMEDOUT"].includes(error.code) || /^(?:08|57P)/.test(error.code);
}

/** The client's own words, which have no code. */
const isLostConnection = (error: Error): boolean =>
  /^(?:Connection terminated|Client (?:was closed|has encountered a connection error)|timeout expired)/.test(
    error.message,
  );
