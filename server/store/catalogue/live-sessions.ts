import type { Kysely } from "kysely";
import type { DatabaseMeasures } from "../../core/database-measures.ts";
import { sessionLife } from "../../core/session-life.ts";
import type { Schema } from "../schema.ts";

/** How many sessions live at `now` (milliseconds since the epoch), of people who are signed in and of declines. */
export async function countLiveSessions(
  db: Kysely<Schema>,
  now: number,
): Promise<Pick<DatabaseMeasures, "declineSessions" | "dashboardSessions">> {
  const [declines, dashboards] = await Promise.all([
    db
      .selectFrom("decline_session")
      .select(({ fn }) => [fn.countAll<number>().as("sessions"), fn.count<number>("ready_at").as("ready")])
      .where("expires_at", ">", now)
      .executeTakeFirstOrThrow(),
    db
      .selectFrom("session")
      .select(({ fn }) => fn.countAll<number>().as("sessions"))
      .where("expires_at", ">", now)
      .where("seen_at", ">", now - sessionLife.idleMs)
      .executeTakeFirstOrThrow(),
  ]);
  const ready = Number(declines.ready);
  return {
    declineSessions: { pending: Number(declines.sessions) - ready, ready },
    dashboardSessions: Number(dashboards.sessions),
  };
}
