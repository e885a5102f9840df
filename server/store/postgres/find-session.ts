import type { DeclineSession } from "../../core/decline-session.ts";
import { type SessionRow, sessionColumns, sessionOfRow } from "../rows/session-row.ts";
import type { Ask } from "./asking.ts";

/** Finds a session by its id, expired ones too; null when there is none, or none any more. */
export async function findSession(ask: Ask, id: string): Promise<DeclineSession | null> {
  // What no text of the server can hold is nobody's id.
  if (id.includes("\0")) return null;
  const [row] = await ask<SessionRow>(
    `select ${sessionColumns.join(", ")} from decline_session where id = $1`,
    [id],
  );
  return row === undefined ? null : sessionOfRow(row);
}
