import type { Schema } from "../schema.ts";

/**
 * What becomes of each table when a database is moved, in an order in which a row comes after those that it names.
 * `copied`: page by page, in the order of its key. `replaced`: whole, again in every attempt, for it is short and stands in a
 * new database too, or is lost when the server falls. `settled`: there is nothing in it. `counted`: by the database itself,
 * from the rows of another.
 */
export const movedTables = {
  publisher: "copied",
  website: "copied",
  advertiser: "copied",
  offer: "copied",
  currency_rate: "copied",
  api_key: "copied",
  integration_secret: "copied",
  user: "copied",
  member: "copied",
  session: "copied",
  sign_in_link: "copied",
  activity: "copied",
  oauth_client: "copied",
  oauth_grant: "copied",
  oauth_row: "copied",
  cell: "copied",
  spend: "copied",
  ledger_line: "copied",
  ledger_note: "copied",
  closed_bill: "copied",
  counter: "copied",
  counter_day: "copied",
  counter_publisher: "copied",
  detail: "copied",
  detail_delta: "settled",
  closed_detail: "copied",
  rate_count: "copied",
  website_rate: "copied",
  unkept_event: "copied",
  billed_click: "copied",
  billed_network: "copied",
  billed_view: "copied",
  snippet_ping: "copied",
  trouble: "copied",
  dismissal: "copied",
  kept_answer: "copied",
  decline_session: "copied",
  decline_kept: "counted",
  fact: "copied",
  catalogue_version: "replaced",
  rate_version: "replaced",
  run_note: "replaced",
  page_check: "copied",
  chunk: "copied",
  visitor_salt: "replaced",
} as const satisfies Record<keyof Schema, "copied" | "replaced" | "settled" | "counted">;

/** The tables of which that becomes, in their order. */
export function tablesThatAre(...fates: readonly (typeof movedTables)[keyof Schema][]): (keyof Schema)[] {
  return (Object.keys(movedTables) as (keyof Schema)[]).filter((table) => fates.includes(movedTables[table]));
}
