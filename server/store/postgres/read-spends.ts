import { everyDay } from "../rows/budgets.ts";
import { bytesOf } from "../rows/row-bytes.ts";
import type { Reach } from "./reach.ts";
import { type Ask, type ReadAhead, spendKey } from "./read-rows.ts";

/** Advisory locks of this class are visitors'. */
const visitorLocks = 1_818_524;
/**
 * So many locks are all visitors' together: the server has room for 64 locks for each connection that it may have, of
 * everybody's, and a lock for each visitor would use them up.
 */
const visitorSlots = 4096;

/** The rows of spends that a batch locks: `offerOf` tells an offer's own and whose balance pays for it. */
export function spendsOf(
  reach: Reach,
  offerOf: (number: number) => { id: string; advertiserId: string } | null,
): { subject: string; day: number }[] {
  const spends = new Map<string, { subject: string; day: number }>();
  const add = (subject: string, day: number) => spends.set(spendKey(subject, day), { subject, day });
  for (const [number, days] of reach.bills) {
    const offer = offerOf(number);
    if (offer === null) continue;
    add(offer.id, everyDay);
    add(offer.advertiserId, everyDay);
    for (const day of days) add(offer.id, day);
  }
  return [...spends.values()];
}

/** Locks the rows of spends, in the one order in which everybody does. */
export function askSpends(
  ask: Ask,
  read: ReadAhead,
  spends: readonly { subject: string; day: number }[],
): void {
  if (spends.length === 0) return;
  ask<{ subject: string; day: number; spent_micros: number; billed_clicks: number }>(
    "lock_spends",
    `select s.subject, s.day, s.spent_micros, s.billed_clicks
     from unnest($1::text[], $2::bigint[]) k(subject, day) join spend s on s.subject = k.subject and s.day = k.day
     order by s.subject, s.day for no key update of s`,
    [spends.map(({ subject }) => subject), spends.map(({ day }) => day)],
    ({ subject, day, spent_micros, billed_clicks }) =>
      read.spends.set(spendKey(subject, day), { micros: spent_micros, clicks: billed_clicks }),
  );
}

/**
 * What a visitor was billed for on other offers counts too, and those have other locks: so whoever may bill a visitor holds
 * the visitor's own.
 */
export function askVisitorLocks(ask: Ask, { visitors }: Reach): void {
  if (visitors.size === 0) return;
  const slots = new Set([...visitors.keys()].map((name) => bytesOf(name).readUInt16BE(0) % visitorSlots));
  ask(
    "lock_visitors",
    "select pg_advisory_xact_lock($1::int, slot) from unnest($2::int[]) slot",
    [visitorLocks, [...slots].sort((one, other) => one - other)],
    () => undefined,
  );
}
