import { z } from "zod";
import { websiteKey } from "../ids.ts";
import { filledLine } from "../text.ts";
import { longestNames, type Scope, scopes } from "../words.ts";

/** What a key is called: what uses it. */
export const keyName = filledLine(longestNames.key);

/** For how many days a key may be issued: ten years. */
export const mostKeyDays = 3650;

/** How many hours what was replaced may stay good beside its successor: thirty days. */
export const mostOverlapHours = 720;

/** So many unless somebody says otherwise: long enough for every server to be given the new one. */
export const usualOverlapHours = 24;

/** Body of POST /dash/api/publishers/:publisher/keys. */
export const newKey = z.object({
  name: keyName,
  scopes: z.array(z.enum(scopes)).min(1, "must name at least one"),
  /** The one website that it is good for; null: all of them. */
  websiteKey: websiteKey.nullable(),
  /** How many days it is good for; null: until it is revoked. */
  days: z.int().min(1, "must be at least 1").max(mostKeyDays, `must be at most ${mostKeyDays}`).nullable(),
});

/** Body of POST …/keys/:key/roll: how long the old key stays good beside the new one. */
export const keyRoll = z.object({
  overlapHours: z
    .int()
    .min(0, "must be at least 0")
    .max(mostOverlapHours, `must be at most ${mostOverlapHours}`),
});

/** A key as its publisher sees it. Times are milliseconds since the epoch. */
export type DashKey = {
  keyId: string;
  /** `""`: it was given none. */
  name: string;
  prefix: string;
  lastFour: string;
  scopes: readonly Scope[];
  websiteKey: string | null;
  /** Who made it; null: somebody at the command line, or nobody knows. */
  madeBy: string | null;
  createdAt: number;
  expiresAt: number | null;
  revokedAt: number | null;
  lastUsedAt: number | null;
  /** Its calls of the last seven days that were refused, by the code that the caller was told. */
  refused: { code: string; times: number; at: number }[];
};
export type DashKeys = { items: DashKey[] };

/** A key at the one moment at which it can be read. */
export type MadeKey = { key: string; keyId: string };
export type RolledKey = MadeKey & { oldKeyExpiresAt: number };
