import { z } from "zod";
import { type ActivityAction, type ActivitySubject, activitySubjects } from "../words.ts";

/** Who may have changed something. */
const actorKinds = ["user", "command_line", "partner"] as const;

const number = z
  .string()
  .regex(/^[1-9][0-9]{0,14}$/, "must be a whole number")
  .transform(Number);

/** Query of GET /dash/api/publishers/:publisher/activity. */
export const activityQuery = z.object({
  /** Rows that are older than the one of this id. */
  before: number.optional(),
  by: z.enum(actorKinds).optional(),
  /** One person, by number. */
  user: number.optional(),
  about: z.enum(activitySubjects).optional(),
  format: z.enum(["json", "csv"]).optional(),
});

/** A member of what was changed, such as `geoRule.entries`, as it was and as it is; null: it was, or is, not there. */
export type ChangedMember = { member: string; before: string | null; after: string | null };

/** One change. */
export type DashActivity = {
  id: number;
  /** Milliseconds since the epoch. */
  at: number;
  actor: { kind: (typeof actorKinds)[number]; name: string };
  action: ActivityAction;
  subject: { kind: ActivitySubject; id: string; name: string };
  changes: ChangedMember[];
};
/** Answer, the newest first. */
export type DashActivities = { items: DashActivity[]; hasMore: boolean };
