import { members, texts } from "../overlay/json-shape.ts";
import { type Granted, readGranted } from "../overlay/read-decision.ts";

type About = {
  sessionId: string;
  /** ISO 8601, by the service's clock. */
  expiresAt: string;
  pollAfterMs: number;
};

export type ReadySession = About & { status: "ready"; granted: Granted };

/** How a session stands. */
export type Session = ReadySession | (About & { status: "pending" }) | (About & { status: "expired" });

/** Reads any JSON value; null when it is no session, or a ready one that says nothing about its offers. */
export function readSession(answer: unknown): Session | null {
  const { sessionId, expiresAt, status } = texts(answer, "sessionId", "expiresAt", "status");
  if (!sessionId) return null;
  const about = { sessionId, expiresAt, pollAfterMs: Number(members(answer).pollAfterMs) };
  if (status === "pending" || status === "expired") return { ...about, status };
  const granted = readGranted(answer);
  return status === "ready" && granted ? { ...about, status, granted } : null;
}
