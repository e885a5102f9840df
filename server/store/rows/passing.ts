import { activityKept, requestLifetimes } from "@offers/contract/words";
import { idempotencyMs } from "../../core/idempotency.ts";
import { saltKeptMs } from "../../core/salt-days.ts";
import { sessionLife } from "../../core/session-life.ts";
import { checkToldMs } from "../../core/website-tag-health.ts";
import type { Schema } from "../schema.ts";

export type Passing = {
  table: keyof Schema;
  key: string;
  age: string;
  keptMs: number;
  /** How many go at a time, so that the journal never waits long for them. */
  atOnce: number;
};

/** Where each takes no longer than usual. */
const usually = 5000;

/**
 * What may be deleted: rows that are older than `keptMs` by a column that is indexed, or of a table that is never large, a
 * few at a time.
 * @param eventsKeptDays for how many days events are kept, and pings with them; null: for ever.
 */
export function passing(eventsKeptDays: number | null): readonly Passing[] {
  return rules(eventsKeptDays).map((rule) => ({ atOnce: usually, ...rule }));
}

const rules = (eventsKeptDays: number | null): readonly (Omit<Passing, "atOnce"> & Partial<Passing>)[] => [
  // Whoever still polls an expired session is told for an hour that it has expired.
  { table: "decline_session", key: "number", age: "expires_at", keptMs: 60 * 60 * 1000 },
  // A billed click matters for 24 hours. Its visitor's name stays for two days, up to one longer than the salt that made it,
  // without which nobody can make it again.
  { table: "billed_click", key: "visitor, offer, at", age: "at", keptMs: 48 * 60 * 60 * 1000 },
  // A network's name goes with the salt that made it.
  { table: "billed_network", key: "day, network, at", age: "day", keptMs: saltKeptMs },
  // Views are limited by the five minutes before them, which an hour and the one before it hold, and a server may report one
  // a day late.
  {
    table: "billed_view",
    key: "hour, viewer, offer, at",
    age: "hour",
    keptMs: requestLifetimes.eventsSeconds * 1000 + 2 * 60 * 60 * 1000,
  },
  // Whom the overlay is not shown again matters on that day alone: on the next one the visitor has another name.
  { table: "dismissal", key: "number", age: "day", keptMs: 24 * 60 * 60 * 1000 },
  // Two weeks: long enough to find a mistake that was made before a holiday.
  {
    table: "trouble",
    key: "subject, hour, code, detail",
    age: "last_at",
    keptMs: 14 * 24 * 60 * 60 * 1000,
  },
  // At most one of a website, and of an hour.
  { table: "page_check", key: "website_key", age: "at", keptMs: checkToldMs },
  // A session ends when it was not used for long enough, and after its whole life however much it was used.
  { table: "session", key: "id", age: "seen_at", keptMs: sessionLife.idleMs },
  { table: "session", key: "id", age: "expires_at", keptMs: 0 },
  { table: "sign_in_link", key: "id", age: "expires_at", keptMs: 0 },
  // What has expired opens nothing; until then a used one tells that somebody uses it again.
  { table: "oauth_row", key: "model, id_hash", age: "expires_at", keptMs: 0 },
  // The time within which a request that is repeated gets the answer of the first.
  { table: "kept_answer", key: "scope, key", age: "at", keptMs: idempotencyMs },
  // What was done in this month of last year is there whole.
  // Each stands in six indexes, and 5,000 of a million took a fifth of a second.
  { table: "activity", key: "id", age: "at", keptMs: activityKept.days * 24 * 60 * 60 * 1000, atOnce: 500 },
  // A ping is an event as well.
  {
    table: "snippet_ping",
    key: "website_id, host, script_version, hour",
    age: "hour",
    keptMs: eventsKeptDays === null ? Number.POSITIVE_INFINITY : eventsKeptDays * 24 * 60 * 60 * 1000,
  },
];
