import type { DeclineSession } from "../../core/decline-session.ts";
import { sessionOf } from "../rows/session-row.ts";
import type { DeclineSessionTable } from "../schema.ts";
import type { Ask } from "./asking.ts";

const columns = `number, id, website_id, origin, request, country, region, test, visitor, opener, created_at, expires_at,
  ready_at, reason, suppression_json, catalogue, geo_source, device`;

/** Finds a session by its id, expired ones too; null when there is none, or none any more. */
export async function findSession(ask: Ask, id: string): Promise<DeclineSession | null> {
  const [row] = await ask<DeclineSessionTable>(`select ${columns} from decline_session where id = $1`, [id]);
  return row === undefined ? null : sessionOf(row);
}
