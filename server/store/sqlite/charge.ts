import type { Database as Sqlite } from "better-sqlite3";

export type Bill = {
  kind: "click" | "impression";
  eventId: string;
  offerId: string;
  /** Whole micro-units, 0 or more. */
  micros: number;
  /** Milliseconds since the epoch, and the UTC date whose daily caps are used. */
  at: number;
  day: string;
};

/** Takes the sum from every cap and writes its line in the book; false, and nothing written, when one has too little left. */
export type Charge = (bill: Bill) => boolean;

/**
 * Prepares the charging statements. Each cap is one row, taken by one conditional update that reads the limit
 * where the catalogue keeps it, always in the order offer, offer's day, advertiser: two chargers can neither
 * both take the last of it nor wait for each other in a circle. Runs inside the caller's write transaction.
 */
export function prepareCharge(sqlite: Sqlite): Charge {
  const savepoint = sqlite.prepare("savepoint charge");
  const undo = sqlite.prepare("rollback to savepoint charge");
  const release = sqlite.prepare("release savepoint charge");
  const advertiserOf = sqlite
    .prepare<[string], string>("select advertiser_id from offer where id = ?")
    .pluck();
  const takeTotal = prepareTake(
    sqlite,
    `select 1 from offer where offer.id = spend.subject
       and (offer.total_budget_micros is null or spend.spent_micros + @micros <= offer.total_budget_micros)
       and (@clicks = 0 or offer.total_click_cap is null or spend.billed_clicks + @clicks <= offer.total_click_cap)`,
  );
  const takeDay = prepareTake(
    sqlite,
    `select 1 from offer where offer.id = spend.subject
       and (offer.daily_budget_micros is null or spend.spent_micros + @micros <= offer.daily_budget_micros)
       and (@clicks = 0 or offer.daily_click_cap is null or spend.billed_clicks + @clicks <= offer.daily_click_cap)`,
  );
  const takeBalance = prepareTake(
    sqlite,
    `select 1 from advertiser where advertiser.id = spend.subject
       and spend.spent_micros + @micros <= advertiser.deposited_micros`,
  );
  const line = sqlite.prepare(
    `insert into ledger_line (at, day, kind, advertiser_id, offer_id, event_id, micros)
     values (?, ?, ?, ?, ?, ?, ?)`,
  );
  return ({ kind, eventId, offerId, micros, at, day }) => {
    const advertiserId = advertiserOf.get(offerId);
    if (advertiserId === undefined) return false;
    const clicks = kind === "click" ? 1 : 0;
    savepoint.run();
    const taken =
      takeTotal({ subject: offerId, day: "", micros, clicks }) &&
      takeDay({ subject: offerId, day, micros, clicks }) &&
      takeBalance({ subject: advertiserId, day: "", micros, clicks });
    if (!taken) undo.run();
    release.run();
    if (taken) line.run(at, day, kind, advertiserId, offerId, eventId, -micros);
    return taken;
  };
}

type Take = { subject: string; day: string; micros: number; clicks: number };

/** `allowed` is a subquery that finds a row as long as the cap has enough left. */
const prepareTake = (sqlite: Sqlite, allowed: string): ((take: Take) => boolean) => {
  const update = sqlite.prepare<Take>(
    `update spend set spent_micros = spent_micros + @micros, billed_clicks = billed_clicks + @clicks
     where subject = @subject and day = @day and exists (${allowed})`,
  );
  const open = sqlite.prepare(
    `insert into spend (subject, day, spent_micros, billed_clicks) values (?, ?, 0, 0)
     on conflict (subject, day) do nothing`,
  );
  const runs = (take: Take) => update.run(take).changes === 1;
  // The row is opened by the first charge only, so it is asked for when the update found none.
  return (take) => runs(take) || (open.run(take.subject, take.day).changes === 1 && runs(take));
};
