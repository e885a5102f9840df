import { type Kysely, sql } from "kysely";
import type { Schema } from "../schema.ts";

/** What is compared with the lines of the ledger. */
export type AuditedFigure =
  | "advertiser_deposits"
  | "advertiser_spend"
  | "advertiser_billed_clicks"
  | "offer_spend"
  | "offer_billed_clicks"
  | "offer_day_spend"
  | "offer_day_billed_clicks"
  | "event_billed_micros"
  | "billed_events";

/** One figure that the ledger does not add up to. */
export type AuditDifference = {
  figure: AuditedFigure;
  /** The id of the advertiser, offer or event; of `billed_events` the type. */
  subject: string;
  /** The UTC date of a daily figure or of an event, else `""`. */
  day: string;
  /** What stands beside the ledger, in whole micro-units or clicks. */
  recorded: number;
  /** What the ledger's lines add up to. */
  recomputed: number;
};

/**
 * Adds the ledger up again: to what each advertiser paid in and has spent, to each offer's total and days, and line
 * by line to the billed events. `lines` is how many lines there are. All of it is read at one moment, so it is right
 * while events keep coming.
 */
export function audit(db: Kysely<Schema>): Promise<{ lines: number; differences: AuditDifference[] }> {
  return db.transaction().execute(async (tx) => {
    const { lines } = await tx
      .selectFrom("ledger_line")
      .select((eb) => eb.fn.countAll<number>().as("lines"))
      .executeTakeFirstOrThrow();
    const differences: AuditDifference[] = [];
    for (const comparison of comparisons) {
      const { rows } = await sql<Compared>`
        select subject, day, sum(recorded) as recorded, sum(recomputed) as recomputed
        from (${sql.raw(comparison.recorded)} union all ${sql.raw(comparison.recomputed)}) as figure
        group by subject, day having sum(recorded) <> sum(recomputed)
        order by subject, day`.execute(tx);
      differences.push(...rows.map((row) => ({ figure: comparison.figure, ...row })));
    }
    return { lines, differences };
  });
}

type Compared = { subject: string; day: string; recorded: number; recomputed: number };

type Comparison = { figure: AuditedFigure; recorded: string; recomputed: string };

/** Charges stand in the ledger as negative sums. */
const charges = (subject: string, day: string) =>
  `select ${subject} as subject, ${day} as day, 0 as recorded, -sum(micros) as recomputed
   from ledger_line where kind <> 'deposit' group by 1, 2`;

const clicks = (subject: string, day: string) =>
  `select ${subject} as subject, ${day} as day, 0 as recorded, count(*) as recomputed
   from ledger_line where kind = 'click' group by 1, 2`;

const spend = (column: string, of: "offer" | "advertiser", days: "=" | "<>") =>
  `select subject, day, ${column} as recorded, 0 as recomputed
   from spend where day ${days} '' and subject in (select id from ${of})`;

const noDay = "''";

const comparisons: readonly Comparison[] = [
  {
    figure: "advertiser_deposits",
    recorded: `select id as subject, '' as day, deposited_micros as recorded, 0 as recomputed from advertiser`,
    recomputed: `select advertiser_id as subject, '' as day, 0 as recorded, sum(micros) as recomputed
      from ledger_line where kind = 'deposit' group by advertiser_id`,
  },
  {
    figure: "advertiser_spend",
    recorded: spend("spent_micros", "advertiser", "="),
    recomputed: charges("advertiser_id", noDay),
  },
  {
    figure: "advertiser_billed_clicks",
    recorded: spend("billed_clicks", "advertiser", "="),
    recomputed: clicks("advertiser_id", noDay),
  },
  {
    figure: "offer_spend",
    recorded: spend("spent_micros", "offer", "="),
    recomputed: charges("offer_id", noDay),
  },
  {
    figure: "offer_billed_clicks",
    recorded: spend("billed_clicks", "offer", "="),
    recomputed: clicks("offer_id", noDay),
  },
  {
    figure: "offer_day_spend",
    recorded: spend("spent_micros", "offer", "<>"),
    recomputed: charges("offer_id", "day"),
  },
  {
    figure: "offer_day_billed_clicks",
    recorded: spend("billed_clicks", "offer", "<>"),
    recomputed: clicks("offer_id", "day"),
  },
  {
    figure: "event_billed_micros",
    recorded: `select id as subject, day, billed_micros as recorded, 0 as recomputed
      from event where billed_micros is not null`,
    recomputed: charges("event_id", "day"),
  },
  {
    // Apart from their sums, for a price may be 0.
    figure: "billed_events",
    recorded: `select type as subject, day, count(*) as recorded, 0 as recomputed
      from event where billed_micros is not null group by 1, 2`,
    recomputed: `select kind as subject, day, 0 as recorded, count(*) as recomputed
      from ledger_line where kind <> 'deposit' group by 1, 2`,
  },
];
