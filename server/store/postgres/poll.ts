import type { Log } from "../../core/log-events.ts";
import { dayNumber } from "../../core/utc-day.ts";
import type { Polled } from "../engine.ts";
import type { Ask } from "./asking.ts";
import type { KnownBudgets } from "./budgets-of-day.ts";
import { isNewer, type Moment, momentColumn, valuesOf } from "./new-rows.ts";
import type { RateReading } from "./rate-changes.ts";
import type { Salt, SaltKeeping } from "./salts.ts";
import type { ServerTime } from "./server-time.ts";

/** What a poll reads by. */
export type PollParts = {
  ask: Ask;
  /** Tells what has changed in the catalogue after the version `seen` (0: everything); resolves with the version that it is. */
  readCatalogue(seen: number): Promise<number>;
  budgets: KnownBudgets;
  rates: RateReading;
  salts: SaltKeeping;
  time: ServerTime;
  log: Log;
};

/** What the last poll has read, and of which server: another one may lack the last changes of the one before. */
type Seen = { server: number; moment: Moment; catalogue: number; day: number };

/**
 * Prepares what reads all that has changed since the last time, at `now` by this machine's clock; the first time, everything.
 * One that fails has seen nothing: what it has read comes again.
 */
export function preparePoll({ ask, readCatalogue, budgets, rates, salts, time, log }: PollParts) {
  let seen: Seen | null = null;
  let toldSalts: readonly Salt[] = [];
  return async (ownNow: number): Promise<Omit<Polled, "catalogue">> => {
    await time.look();
    let row = await readNew(ask, seen);
    if (seen !== null && row.server !== seen.server) {
      // Seen now or never: once as much has been changed there, the versions no longer tell.
      const changes = seen.catalogue - row.catalogue;
      if (changes > 0) log({ event: "catalogue_went_back", changes });
      seen = null;
      rates.forget();
      time.forget();
      await time.look();
      row = await readNew(ask, null);
    }
    const now = ownNow + time.offsetMs();
    const kept = await salts.keep(row.salts, now);
    const before = seen;
    const catalogue =
      before?.catalogue === row.catalogue ? row.catalogue : await readCatalogue(before?.catalogue ?? 0);
    const day = dayNumber(now);
    const isAllNew = catalogue !== before?.catalogue || day !== before.day;
    const changed = isAllNew
      ? await budgets.readAll(day)
      : row.advertisers.length > 0
        ? await budgets.readOf(row.advertisers, day)
        : null;
    const newRates = await rates.changes(now);
    seen = { server: row.server, moment: row.snapshot, catalogue, day };
    const newSalts = isSame(kept, toldSalts) ? null : kept;
    toldSalts = kept;
    return {
      salts: newSalts,
      exhausted: changed?.exhausted ?? null,
      paced: changed?.paced ?? null,
      dismissed: row.dismissed,
      rates: newRates,
      clockOffsetMs: time.offsetMs(),
    };
  };
}

type New = {
  snapshot: Moment;
  /** When the server was started: no two servers share it to the microsecond. */
  server: number;
  catalogue: number;
  salts: Salt[];
  advertisers: number[];
  dismissed: { visitor: string; at: number }[];
};

/** All in one statement, so that it is of one moment. Ledger lines of before the first one are in the spends. */
const readNew = async (ask: Ask, seen: Seen | null): Promise<New> => {
  const isNew = seen === null ? null : isNewer("xid", 1);
  const [row] = await ask<
    Omit<New, "salts" | "advertisers" | "dismissed"> & {
      salts: [number, string][] | null;
      advertisers: number[] | null;
      dismissed: [number, string][] | null;
    }
  >(
    `select ${momentColumn}, extract(epoch from pg_postmaster_start_time())::float8 as server,
       (select version from catalogue_version where id = 1) as catalogue,
       (select json_agg(json_build_array(day, salt) order by day) from visitor_salt) as salts,
       (select json_agg(distinct advertiser) from ledger_line where ${isNew ?? "false"}) as advertisers,
       (select json_agg(json_build_array(day, encode(visitor, 'hex')) order by number)
          from dismissal where ${isNew ?? "true"}) as dismissed`,
    seen === null ? [] : valuesOf(seen.moment),
  );
  if (row === undefined) throw new Error("the database has no version of its catalogue");
  return {
    ...row,
    salts: (row.salts ?? []).map(([day, salt]) => ({ day, salt })),
    advertisers: row.advertisers ?? [],
    dismissed: (row.dismissed ?? []).map(([at, visitor]) => ({
      visitor: Buffer.from(visitor, "hex").toString("base64url"),
      at,
    })),
  };
};

const isSame = (some: readonly Salt[], others: readonly Salt[]): boolean =>
  some.length === others.length &&
  some.every(({ day, salt }, index) => others[index]?.day === day && others[index]?.salt === salt);
