import type { Quality } from "@offers/contract/dash/operator";
import { type RefusalReason, requestLifetimes } from "@offers/contract/words";
import { type Kysely, type SqlBool, sql } from "kysely";
import { sumExactly } from "../../core/exact-sum.ts";
import { type FactType, factTypes, handedRefusal } from "../../core/fact.ts";
import { byColumn } from "../../core/figures.ts";
import { unpackOffers } from "../../core/handed-offers.ts";
import { requestKeysSince } from "../../core/request-key.ts";
import { dateOfDay, dayNumber, hourNumber } from "../../core/utc-day.ts";
import { atOneMoment } from "../dialects.ts";
import type { FactTable, Schema } from "../schema.ts";
import { pagesOf } from "./pages.ts";
import { readWaitingSums } from "./waiting-sums.ts";

/**
 * How long after a request was made its events may count. Those that come later are refused as expired, and
 * found as long as their request is of the days that are asked for or of the one before.
 */
const latestMs = requestLifetimes.eventsSeconds * 1000;

/**
 * What did not count from `from` until `to` (milliseconds since the epoch), of live traffic or of tests, as it is stored:
 * by UTC day, website, type and reason. Facts stand in the order of their requests' times, so it reads those of these days
 * and of the day before, and no more: once for their sums, and once for the answers among them of which something did not count.
 * All of it is of one moment.
 */
export function readRefusedEvents(db: Kysely<Schema>, asked: Asked): Promise<RefusedEvents> {
  return atOneMoment(db, (tx) => readWithin(tx, asked));
}

type Asked = { from: number; to: number; isTest: boolean };
type RefusedEvents = Pick<Quality, "refused" | "unkept" | "counted">;

const readWithin = async (db: Kysely<Schema>, { from, to, isTest }: Asked): Promise<RefusedEvents> => {
  const test = isTest ? 1 : 0;
  const [firstDay, lastDay] = [dayNumber(from), dayNumber(to - 1)];
  const { rows: refused } = await sql<RefusedRow>`
    select fact.at / 86400000 as day, coalesce(website.key, '') as key, fact.type, fact.reason, count(*) as n
    from fact join cell on cell.id = fact.cell left join website on website.id = cell.website_id
    where fact.request >= ${requestKeysSince(from - latestMs)} and fact.reason is not null
      and fact.type in (${sql.join(singleEvents)})
      and fact.at >= ${from} and fact.at < ${to} and cell.test = ${test}
    group by 1, 2, 3, 4 order by 1, 2, 3, 4`.execute(db);
  refused.push(...(await readRefusedOffers(db, { from, to, test })));
  const { rows: unkept } = await sql<{ day: number; key: string; n: number }>`
    select unkept_event.hour / 24 as day, coalesce(website.key, '') as key, sum(unkept_event.events) as n
    from unkept_event join cell on cell.id = unkept_event.cell left join website on website.id = cell.website_id
    where unkept_event.hour >= ${hourNumber(from)} and unkept_event.hour <= ${hourNumber(to - 1)}
      and cell.test = ${test}
    group by 1, 2 order by 1, 2`.execute(db);
  const counted = await readCounted(db, { firstDay, lastDay, test });
  return {
    refused: refused.map(({ day, key, type, reason, n }) => ({
      date: dateOfDay(day),
      websiteKey: key,
      type: typeNames[type] ?? String(type),
      reason,
      events: n,
    })),
    unkept: unkept.map(({ day, key, n }) => ({ date: dateOfDay(day), websiteKey: key, events: n })),
    counted: counted.map(({ day, ...row }) => ({ date: dateOfDay(day), ...row })),
  };
};

type CountedRow = { day: number; websiteKey: string; counted: number; filtered: number };

/** What counted and what did not, as the counters and what waits for them have it, in the order of days and websites. */
const readCounted = async (
  db: Kysely<Schema>,
  { firstDay, lastDay, test }: { firstDay: number; lastDay: number; test: 0 | 1 },
): Promise<CountedRow[]> => {
  const websites = await db.selectFrom("website").select(["id", "key"]).execute();
  const keys = new Map<number, string>(websites.map(({ id, key }) => [id, key]));
  const { rows: settled } = await sql<{ day: number; id: number; counted: number; filtered: number }>`
    select day, website_id as id, sum(blocked + served + impressions + clicks) as counted, sum(filtered) as filtered
    from counter_day where test = ${test} and day between ${firstDay} and ${lastDay} group by 1, 2`.execute(
    db,
  );
  const waiting = await readWaitingSums(db, {
    ...{ firstDay, lastDay, columns: ["website_id"] },
    isAsked: (cell) => cell.test === test,
  });
  const rows = new Map<string, CountedRow>();
  const add = (day: number, id: number, counted: number, filtered: number): void => {
    const websiteKey = keys.get(id) ?? "";
    const row = rows.get(`${day} ${websiteKey}`);
    if (row === undefined) rows.set(`${day} ${websiteKey}`, { day, websiteKey, counted, filtered });
    else {
      row.counted += counted;
      row.filtered += filtered;
    }
  };
  for (const { day, id, counted, filtered } of settled) add(day, id, counted, filtered);
  for (const { place, day, figures } of waiting) {
    const { blocked, served, impressions, clicks, filtered } = byColumn(figures);
    const counted = [blocked, served, impressions, clicks].reduce(sumExactly);
    add(day, place.website_id, Number(counted), Number(filtered));
  }
  return [...rows.values()].sort(
    (one, other) => one.day - other.day || (one.websiteKey < other.websiteKey ? -1 : 1),
  );
};

/** Each of these facts is one event. */
const singleEvents = [factTypes.blocked, factTypes.impression, factTypes.click];

type RefusedRow = { day: number; key: string; type: FactType; reason: RefusalReason; n: number };

/**
 * The same of answers, each of whose offers is an event (core/fact.ts): those that did not count, and those that count and
 * hold some offer that their request was handed before, of which its first answer is none.
 */
const readRefusedOffers = async (
  db: Kysely<Schema>,
  { from, to, test }: { from: number; to: number; test: number },
): Promise<RefusedRow[]> => {
  const rows = new Map<string, RefusedRow>();
  const type = factTypes.served;
  const answers = pagesOf<StoredAnswer>(
    db,
    "fact",
    ["request", "offer", "type", "seq"],
    ["request", "offer", "type", "seq", "at", "reason", "offers", websiteKey],
    { request: requestKeysSince(from - latestMs), offer: 0, type: 0, seq: 0 },
    sql<SqlBool>`type in (${type}, ${factTypes.repeatedAnswer}) and (reason is not null or seq > 0)
      and at >= ${from} and at < ${to} and (select cell.test from cell where cell.id = fact.cell) = ${test}`,
  );
  for await (const page of answers) {
    for (const { at, key, reason, offers } of page) {
      for (const handed of offers === null ? [] : unpackOffers(offers)) {
        const refusal = handedRefusal(reason, handed);
        if (refusal === null) continue;
        const name = `${dayNumber(at)} ${key} ${refusal}`;
        const row = rows.get(name) ?? { day: dayNumber(at), key, type, reason: refusal, n: 0 };
        row.n += 1;
        rows.set(name, row);
      }
    }
  }
  return [...rows.values()];
};

type AnswerKey = Pick<FactTable, "request" | "offer" | "seq"> & { type: number };
type StoredAnswer = AnswerKey & Pick<FactTable, "at" | "reason" | "offers"> & { key: string };

const websiteKey = sql`coalesce((select website.key from cell join website on website.id = cell.website_id
  where cell.id = fact.cell), '') as key`;

const typeNames: Readonly<Record<number, string>> = Object.fromEntries(
  Object.entries(factTypes).map(([name, number]) => [number, name]),
);
