import type { DeclineSession } from "../../core/decline-session.ts";
import type { DeclineSessionTable } from "../schema.ts";
import { textOf } from "./row-bytes.ts";

/** The columns that a session is read from: what recording and polls need of it. */
export const sessionColumns = [
  "id",
  "website_id",
  "origin",
  "request",
  "country",
  "region",
  "test",
  "visitor",
  "created_at",
  "expires_at",
  "ready_at",
  "suppression_json",
  "catalogue",
  "geo_source",
  "device",
] as const satisfies readonly (keyof DeclineSessionTable)[];

export type SessionRow = Pick<DeclineSessionTable, (typeof sessionColumns)[number]>;

/** The session of a row. */
export function sessionOfRow(row: SessionRow): DeclineSession {
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
      row.geo_source !== null && {
        decidedBy: { catalogue: row.catalogue, geoSource: row.geo_source },
      }),
    openedAt: row.created_at,
    expiresAt: row.expires_at,
    readyAt: row.ready_at,
    suppression: row.suppression_json === null ? null : JSON.parse(row.suppression_json),
  };
}
