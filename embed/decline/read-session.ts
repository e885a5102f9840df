import { members, texts } from "../overlay/json-shape.ts";
import { type Granted, readGranted } from "../overlay/read-decision.ts";

type About = {
  sessionId: string;
  /** ISO 8601, by the service's clock. */
  expiresAt: string;
  pollAfterMs: number;
  /** The website's setting; `""`: it has none. */
  language: string;
};

export type ReadySession = About & { status: "ready"; granted: Granted };

/** How a session stands. */
export type Session = ReadySession | (About & { status: "pending" }) | (About & { status: "expired" });

/** Reads any JSON value; null when it is no session, or a ready one that says nothing about its offers. */
export function readSession(answer: unknown): Session | null {
  const { sessionId, expiresAt, status, language } = texts(
    answer,
    "sessionId",
    "expiresAt",
    "status",
    "language",
  );
  if (!sessionId) return null;
  const about = { sessionId, expiresAt, pollAfterMs: Number(members(answer).pollAfterMs), language };
  if (status === "pending" || status === "expired") return { ...about, status };
  const granted = readGranted(answer);
  return status === "ready" && granted ? { ...about, status, granted: { ...granted, language } } : null;
}
