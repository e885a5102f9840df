import type { Scope } from "../words.ts";

/** A partner that may act for a publisher. Times are milliseconds since the epoch. */
export type ConnectedApp = {
  grantId: string;
  partner: string;
  scopes: readonly Scope[];
  /** Who allowed it; null: their account is gone. */
  allowedBy: string | null;
  at: number;
  /** When it ends by itself. */
  endsAt: number;
  lastUsedAt: number | null;
};
/** Answer of GET /dash/api/publishers/:publisher/apps, the newest first. */
export type ConnectedApps = { items: ConnectedApp[] };
