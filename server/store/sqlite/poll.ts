import type { Database as Sqlite } from "better-sqlite3";
import { dayNumber } from "../../core/utc-day.ts";
import type { Polled } from "../engine.ts";
import type { Database } from "./database.ts";
import { prepareExhaustedOffers } from "./exhausted-offers.ts";
import { prepareNewDismissals } from "./new-dismissals.ts";
import { prepareRateChanges } from "./rate-counts.ts";

/** What the catalogue has is told by its own way. */
type Told = Omit<Polled, "catalogue">;

type PollParts = {
  /** Says whether it may have changed anything: SQLite does not report a connection's own changes to it. */
  keepHouse(now: number): Promise<boolean>;
  /** Tells what has changed in the catalogue after the version `seen` (0: everything); resolves with the version that it is. */
  readCatalogue(seen: number): Promise<number>;
};

/**
 * Prepares what tells all that has changed since the poll before. One that rejects has told nothing: whatever it had read
 * comes with the next one.
 */
export function preparePoll({ db, sqlite }: Database, { keepHouse, readCatalogue }: PollParts) {
  let seen = { data: -1, catalogue: 0, day: Number.NaN };
  let changes: Changes | null = prepareChanges(sqlite);

  const readChanges = async (
    { exhaustedOffers, newDismissals, rateChanges }: Changes,
    now: number,
  ): Promise<Told> => {
    const day = dayNumber(now);
    // Asked before anything is read: what is committed in the meantime shows at the next poll.
    const data = Number(sqlite.pragma("data_version", { simple: true }));
    const rates = rateChanges(now);
    if (data === seen.data && day === seen.day) {
      return { salts: null, exhausted: null, paced: null, dismissed: [], rates, clockOffsetMs: 0 };
    }
    const catalogue = await readCatalogue(seen.catalogue);
    const salts = await db.selectFrom("visitor_salt").selectAll().orderBy("day").execute();
    const { exhausted = null, paced = null } =
      exhaustedOffers.changed(day, catalogue !== seen.catalogue) ?? {};
    const dismissed = newDismissals();
    seen = { data, catalogue, day };
    return { salts, exhausted, paced, dismissed, rates, clockOffsetMs: 0 };
  };

  return async (now: number): Promise<Told> => {
    if (await keepHouse(now)) seen.data = -1;
    changes ??= prepareChanges(sqlite);
    try {
      return await readChanges(changes, now);
    } catch (error) {
      // Each of them knows by itself how far it has read, and some have read what nobody will be told.
      changes = null;
      throw error;
    }
  };
}

type Changes = ReturnType<typeof prepareChanges>;

/** What begins with all that there is, and goes on with what is new. */
const prepareChanges = (sqlite: Sqlite) => ({
  exhaustedOffers: prepareExhaustedOffers(sqlite),
  newDismissals: prepareNewDismissals(sqlite),
  rateChanges: prepareRateChanges(sqlite),
});
