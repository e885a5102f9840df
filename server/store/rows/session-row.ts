import type { DeclineSession } from "../../core/decline-session.ts";
import type { DeclineSessionTable } from "../schema.ts";
import { textOf } from "./row-bytes.ts";

/** A decline session by its row. */
export function sessionOf(row: DeclineSessionTable): DeclineSession {
  return {
    sessionId: row.id,
    websiteId: row.website_id,
    origin: row.origin,
    request: textOf(row.request),
    country: row.country,
    region: row.region,
    test: row.test === 1,
    device: row.device,
    visitor: row.visitor,
    ...(row.catalogue !== null &&
      row.geo_source !== null && { decidedBy: { catalogue: row.catalogue, geoSource: row.geo_source } }),
    openedAt: row.created_at,
    expiresAt: row.expires_at,
    readyAt: row.ready_at,
    suppression: row.suppression_json === null ? null : JSON.parse(row.suppression_json),
  };
}
