import { type Kysely, sql } from "kysely";
import type { Whole } from "../../core/exact-sum.ts";
import { eventIdOf, type FactType, factTypes } from "../../core/fact.ts";
import { dateOfDay } from "../../core/utc-day.ts";
import { atOneMoment } from "../dialects.ts";
import type { Schema } from "../schema.ts";
import { isBillLine } from "./bill-lines.ts";
import { exactly, wholeRead } from "./exact-column.ts";

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
  | "billed_events"
  | "event_earned_micros"
  | "closed_billed_micros"
  | "closed_earned_micros"
  | "website_spend"
  | "website_earnings";

/** One figure that the ledger does not add up to. */
export type AuditDifference = {
  figure: AuditedFigure;
  /** The id of the advertiser, offer or event, or the website's key; of `billed_events` the type. */
  subject: string;
  /** The UTC date of a daily figure or of an event, else `""`. */
  day: string;
  /** What stands beside the ledger, in whole micro-units or clicks. */
  recorded: Whole;
  /** What the ledger's lines add up to. */
  recomputed: Whole;
};

/**
 * Adds the ledger up again: to what each advertiser paid in and has spent, to each offer's total and days, line by line
 * to the billed facts and what they earned, and to both sums of each website's days; lines whose facts are deleted to
 * the sums that were kept of those. `lines` is how many lines there are. All of it is read at one moment, so it is right
 * while events keep coming.
 */
export function audit(db: Kysely<Schema>): Promise<{ lines: number; differences: AuditDifference[] }> {
  return atOneMoment(db, async (tx) => {
    const { lines } = await tx
      .selectFrom("ledger_line")
      .select((eb) => eb.fn.countAll<number>().as("lines"))
      .executeTakeFirstOrThrow();
    const differences: AuditDifference[] = [];
    for (const comparison of comparisons) differences.push(...(await compare(tx, comparison)));
    return { lines, differences };
  });
}

/**
 * Two queries whose rows ought to be the same. Each row has a `subject` (or what makes up the id of an event), a `day`
 * (0: none), and either `recorded` or `recomputed` with 0 in the other.
 */
type Comparison = { figure: AuditedFigure; ofEvents?: true; recorded: string; recomputed: string };

type Compared = { day: number; recorded: number | string; recomputed: number | string } & (
  | { subject: string }
  | { request: Uint8Array; offer: number; type: FactType }
);

const compare = async (db: Kysely<Schema>, comparison: Comparison): Promise<AuditDifference[]> => {
  const key = sql.raw(comparison.ofEvents ? "request, offer, type, day" : "subject, day");
  const { rows } = await sql<Compared>`
    select ${key}, ${exactly(db, sql`sum(recorded)`)} as recorded, ${exactly(db, sql`sum(recomputed)`)} as recomputed
    from (${sql.raw(comparison.recorded)} union all ${sql.raw(comparison.recomputed)}) as figure
    group by ${key} having sum(recorded) <> sum(recomputed)
    order by ${key}`.execute(db);
  return rows.map((row) => ({
    figure: comparison.figure,
    subject: "subject" in row ? row.subject : eventOf(row),
    day: row.day === 0 ? "" : dateOfDay(row.day),
    recorded: wholeRead(row.recorded),
    recomputed: wholeRead(row.recomputed),
  }));
};

const eventOf = (row: { request: Uint8Array; offer: number; type: FactType }): string => {
  const { offer, type } = row;
  return eventIdOf({ request: Buffer.from(row.request).toString("base64url"), offer, type, seq: 0 });
};

/** Facts and the ledger name advertisers and offers by their numbers, everything else by their ids. */
const linesOf = (table: "offer" | "advertiser"): string =>
  `ledger_line as line left join ${table} on ${table}.number = line.${table}`;

const subjectOf = (table: "offer" | "advertiser"): string =>
  `coalesce(${table}.id, '${table} ' || line.${table} || ', which is not there')`;

/** Charges stand in the ledger as negative sums. */
const charges = (of: "offer" | "advertiser", day: string): string =>
  `select ${subjectOf(of)} as subject, ${day} as day, 0 as recorded, -sum(micros) as recomputed
   from ${linesOf(of)} where ${isBillLine} group by 1, 2`;

const clicks = (of: "offer" | "advertiser", day: string): string =>
  `select ${subjectOf(of)} as subject, ${day} as day, 0 as recorded, count(*) as recomputed
   from ${linesOf(of)} where kind = 'click' group by 1, 2`;

const spend = (
  column: "spent_micros" | "billed_clicks",
  of: "offer" | "advertiser",
  days: "=" | "<>",
): string =>
  `select subject, day, ${column} as recorded, 0 as recomputed
   from spend where day ${days} 0 and subject in (select id from ${of})`;

/** A sum over what deleted facts had billed of an offer's days, beside the same over the lines that name no request. */
const ofClosed = (
  figure: "closed_billed_micros" | "closed_earned_micros",
  ofBill: string,
  ofLine: string,
): Comparison => ({
  figure,
  recorded: `select ${subjectOf("offer")} as subject, line.day as day, sum(${ofBill}) as recorded, 0 as recomputed
    from closed_bill as line left join offer on offer.number = line.offer group by 1, 2`,
  recomputed: `select ${subjectOf("offer")} as subject, line.day as day, 0 as recorded, sum(${ofLine}) as recomputed
    from ${linesOf("offer")} where ${isBillLine} and request is null group by 1, 2`,
});

/** A sum over the billed facts of a website's days, beside the same over its lines. */
const ofWebsite = (
  figure: "website_spend" | "website_earnings",
  ofFact: string,
  ofLine: string,
): Comparison => {
  const subject = "coalesce(website.key, 'no website that is there')";
  return {
    figure,
    recorded: `select ${subject} as subject, ${dayOfFact} as day, sum(${ofFact}) as recorded, 0 as recomputed
      from fact join cell on cell.id = fact.cell left join website on website.id = cell.website_id
      where billed_micros is not null group by 1, 2
      union all select ${subject} as subject, day, sum(${ofFact}) as recorded, 0 as recomputed
      from closed_bill join cell on cell.id = closed_bill.cell left join website on website.id = cell.website_id
      group by 1, 2`,
    recomputed: `select ${subject} as subject, day, 0 as recorded, sum(${ofLine}) as recomputed
      from ledger_line as line left join website on website.id = line.website
      where ${isBillLine} group by 1, 2`,
  };
};

const noDay = "0";
const dayOfFact = "at / 86400000";
const typeOfLine = `case kind when 'click' then ${factTypes.click} else ${factTypes.impression} end`;
const kindOfFact = `case type when ${factTypes.click} then 'click' else 'impression' end`;

const comparisons: readonly Comparison[] = [
  {
    figure: "advertiser_deposits",
    recorded: `select id as subject, 0 as day, deposited_micros as recorded, 0 as recomputed from advertiser`,
    recomputed: `select ${subjectOf("advertiser")} as subject, 0 as day, 0 as recorded, sum(micros) as recomputed
      from ${linesOf("advertiser")} where not ${isBillLine} group by 1`,
  },
  {
    figure: "advertiser_spend",
    recorded: spend("spent_micros", "advertiser", "="),
    recomputed: charges("advertiser", noDay),
  },
  {
    figure: "advertiser_billed_clicks",
    recorded: spend("billed_clicks", "advertiser", "="),
    recomputed: clicks("advertiser", noDay),
  },
  {
    figure: "offer_spend",
    recorded: spend("spent_micros", "offer", "="),
    recomputed: charges("offer", noDay),
  },
  {
    figure: "offer_billed_clicks",
    recorded: spend("billed_clicks", "offer", "="),
    recomputed: clicks("offer", noDay),
  },
  {
    figure: "offer_day_spend",
    recorded: spend("spent_micros", "offer", "<>"),
    recomputed: charges("offer", "line.day"),
  },
  {
    figure: "offer_day_billed_clicks",
    recorded: spend("billed_clicks", "offer", "<>"),
    recomputed: clicks("offer", "line.day"),
  },
  {
    figure: "event_billed_micros",
    ofEvents: true,
    recorded: `select request, offer, type, ${dayOfFact} as day, billed_micros as recorded, 0 as recomputed
      from fact where billed_micros is not null`,
    recomputed: `select request, offer, ${typeOfLine} as type, day, 0 as recorded, -micros as recomputed
      from ledger_line where request is not null`,
  },
  {
    // Apart from their sums, for a price may be 0.
    figure: "billed_events",
    recorded: `select ${kindOfFact} as subject, ${dayOfFact} as day, count(*) as recorded, 0 as recomputed
      from fact where billed_micros is not null group by 1, 2
      union all select ${kindOfFact} as subject, day, sum(events) as recorded, 0 as recomputed
      from closed_bill group by 1, 2`,
    recomputed: `select kind as subject, day, 0 as recorded, count(*) as recomputed
      from ledger_line where ${isBillLine} group by 1, 2`,
  },
  {
    figure: "event_earned_micros",
    ofEvents: true,
    recorded: `select request, offer, type, ${dayOfFact} as day, earned_micros as recorded, 0 as recomputed
      from fact where billed_micros is not null`,
    recomputed: `select request, offer, ${typeOfLine} as type, day, 0 as recorded, earned_micros as recomputed
      from ledger_line where ${isBillLine} and request is not null`,
  },
  ofClosed("closed_billed_micros", "billed_micros", "-micros"),
  ofClosed("closed_earned_micros", "earned_micros", "earned_micros"),
  ofWebsite("website_spend", "billed_micros", "-micros"),
  ofWebsite("website_earnings", "earned_micros", "earned_micros"),
];
