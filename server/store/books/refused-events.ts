import type { Quality } from "@offers/contract/dash/operator";
import { type Kysely, sql } from "kysely";
import { type FactType, factTypes } from "../../core/fact.ts";
import { requestKeysSince } from "../../core/request-key.ts";
import { dateOfDay, dayNumber, hourNumber } from "../../core/utc-day.ts";
import type { Schema } from "../schema.ts";

/**
 * How long after a request was made its events may count (contract/words.ts, requestLifetimes). Those that come later are
 * refused as expired, and found as long as their request is of the days that are asked for or of the one before.
 */
const latestMs = 24 * 60 * 60 * 1000;

/**
 * What did not count from `from` until `to` (milliseconds since the epoch), of live traffic or of tests, as it is stored:
 * by UTC day, website, type and reason. Facts stand in the order of their requests' times, so it reads those of these days
 * and of the day before, and no more.
 */
export async function readRefusedEvents(
  db: Kysely<Schema>,
  { from, to, isTest }: { from: number; to: number; isTest: boolean },
): Promise<Pick<Quality, "refused" | "unkept" | "counted">> {
  const test = isTest ? 1 : 0;
  const [firstDay, lastDay] = [dayNumber(from), dayNumber(to - 1)];
  const { rows: refused } = await sql<{
    day: number;
    key: string;
    type: FactType;
    reason: string;
    n: number;
  }>`
    select fact.at / 86400000 as day, coalesce(website.key, '') as key, fact.type, fact.reason, count(*) as n
    from fact join cell on cell.id = fact.cell left join website on website.id = cell.website_id
    where fact.request >= ${requestKeysSince(from - latestMs)} and fact.reason is not null
      and fact.at >= ${from} and fact.at < ${to} and cell.test = ${test}
    group by 1, 2, 3, 4 order by 1, 2, 3, 4`.execute(db);
  const { rows: unkept } = await sql<{ day: number; key: string; n: number }>`
    select unkept_event.hour / 24 as day, coalesce(website.key, '') as key, sum(unkept_event.events) as n
    from unkept_event join cell on cell.id = unkept_event.cell left join website on website.id = cell.website_id
    where unkept_event.hour >= ${hourNumber(from)} and unkept_event.hour <= ${hourNumber(to - 1)}
      and cell.test = ${test}
    group by 1, 2 order by 1, 2`.execute(db);
  const { rows: counted } = await sql<{ day: number; key: string; counted: number; filtered: number }>`
    select day, coalesce(website.key, '') as key, sum(counted) as counted, sum(filtered) as filtered from (
      select website_id, day, test, blocked + served + impressions + clicks as counted, filtered from counter_day
      union all
      select cell.website_id, counter_delta.day, cell.test, blocked + served + impressions + clicks, filtered
      from counter_delta join cell on cell.id = counter_delta.cell
    ) as figures left join website on website.id = figures.website_id
    where test = ${test} and day between ${firstDay} and ${lastDay}
    group by 1, 2 order by 1, 2`.execute(db);
  return {
    refused: refused.map(({ day, key, type, reason, n }) => ({
      date: dateOfDay(day),
      websiteKey: key,
      type: typeNames[type] ?? String(type),
      reason,
      events: n,
    })),
    unkept: unkept.map(({ day, key, n }) => ({ date: dateOfDay(day), websiteKey: key, events: n })),
    counted: counted.map(({ day, key, ...sums }) => ({ date: dateOfDay(day), websiteKey: key, ...sums })),
  };
}

const typeNames: Readonly<Record<number, string>> = Object.fromEntries(
  Object.entries(factTypes).map(([name, number]) => [number, name]),
);
