import { randomBytes } from "node:crypto";
import { saltDays } from "../../core/salt-days.ts";
import type { Database } from "./database.ts";
import { rollBack, takeWriteLock } from "./write-lock.ts";

/**
 * Keeps the visitors' salts: those of `saltDays` exist, and older ones are destroyed. Returns whether one was: the log of changes then still
 * holds a copy until it is truncated. Writes nothing when all is in order. Throws when the database refuses, or is
 * locked for longer than `lockWaitMs` milliseconds. `now`: milliseconds since the epoch.
 */
export async function housekeep({ db, sqlite }: Database, now: number, lockWaitMs: number): Promise<boolean> {
  const needed = saltDays(now);
  const [oldest] = needed;
  const present = await db.selectFrom("visitor_salt").select("day").execute();
  const missing = needed.filter((day) => !present.some((salt) => salt.day === day));
  const isAnyOld = present.some(({ day }) => day < oldest);
  if (missing.length === 0 && !isAnyOld) return false;
  takeWriteLock(sqlite, lockWaitMs);
  try {
    for (const day of missing) {
      await db
        .insertInto("visitor_salt")
        .values({ day, salt: randomBytes(32).toString("base64url") })
        // Another process may have been quicker, and there is one salt a day for all of them.
        .onConflict((conflict) => conflict.column("day").doNothing())
        .execute();
    }
    await db.deleteFrom("visitor_salt").where("day", "<", oldest).execute();
    sqlite.exec("commit");
  } catch (error) {
    rollBack(sqlite);
    throw error;
  }
  return isAnyOld;
}
