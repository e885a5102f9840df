import { joinedHash, stableHash } from "./stable-hash.ts";
import { dayNumber, startOfDay } from "./utc-day.ts";

/** How far an offer whose budget is spread over the day has come with it. */
export type PacedSpend = {
  /** The offer's number. */
  offer: number;
  /** The UTC day number that it was spent on. */
  day: number;
  /** What was billed on that day as a part of the day's cap, 0 to 1; of a budget and a click cap the one that is further. */
  spentShare: number;
  /** When the offer was made, in milliseconds since the epoch: on that day the plan begins with it. */
  createdAt: number;
};

/**
 * How far behind its plan an offer must be for every request to have it, as a part of the plan's whole time: ten minutes of a
 * day. An offer that is less far behind is handed to a smaller share of requests, in proportion: where twice as many clicks are
 * to be had as are planned, it comes to rest five minutes behind, at half of the requests. That costs a third of a per cent of
 * the budget at midnight. A smaller part would follow the plan more closely and swing more: clicks come some time after their
 * offer was handed out.
 */
const fullShareBehind = 1 / 144;

/**
 * The share of requests, 0 to 1, that an offer is handed to at `now` (milliseconds since the epoch). Its plan is a straight
 * line from the beginning of the UTC day, or from when it was made, to the day's end. It hangs on nothing but the clock
 * and what was billed, so every process and every restart comes to the same.
 * @param runningTime for how long the offer runs between two moments of the day: its plan is spread over that time.
 */
export function handOutShare(
  spend: PacedSpend,
  now: number,
  runningTime: (from: number, to: number) => number = (from, to) => to - from,
): number {
  const day = dayNumber(now);
  const from = Math.max(startOfDay(day), Math.min(spend.createdAt, now));
  const wholeTime = runningTime(from, startOfDay(day + 1));
  const planned = wholeTime === 0 ? 0 : runningTime(from, now) / wholeTime;
  // Of another day until the store has read this one's, of which nothing is spent then as far as anybody knows.
  const spent = spend.day === day ? spend.spentShare : 0;
  return Math.min(1, Math.max(0, (planned - spent) / fullShareBehind));
}

/**
 * Whether a request is one of the share that an offer is handed to; the same on each call, and independent of how the request
 * ranks.
 * @param tie the joined hash of request and offer.
 */
export function isAmongShare(share: number, tie: number): boolean {
  return joinedHash(tie, turn) < share * 2 ** 32;
}

const turn = stableHash("turn");

/** What was billed on a day as a part of the caps of the day, 0 to 1; null: it has none. */
export function shareOfDay(
  caps: { dailyBudgetMicros: number | null; dailyClickCap: number | null },
  day: { micros: number; clicks: number },
): number | null {
  const shares = [partOf(day.micros, caps.dailyBudgetMicros), partOf(day.clicks, caps.dailyClickCap)];
  const known = shares.filter((share) => share !== null);
  return known.length === 0 ? null : Math.max(...known);
}

/** A cap may have been lowered below what was spent, or be 0. */
const partOf = (spent: number, cap: number | null): number | null =>
  cap === null ? null : spent >= cap ? 1 : spent / cap;
