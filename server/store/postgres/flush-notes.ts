import { dismissalsKept } from "../../core/showing.ts";
import { bytesOf } from "../rows/row-bytes.ts";
import { addSums, recordset, rowsOf, type Written } from "./flush-statements.ts";
import type { NoteChanges } from "./overlay-notes.ts";
import type { Statement } from "./pipeline.ts";

const unkeptEvent: Written = {
  table: "unkept_event",
  columns: { cell: "bigint", hour: "bigint", offer: "bigint", placement: "bigint", events: "bigint" },
  keyLength: 4,
};
const snippetPing: Written = {
  table: "snippet_ping",
  columns: {
    ...{ website_id: "bigint", host: "text", script_version: "text", hour: "bigint" },
    ...{ surface: "text", url: "text", last_at: "bigint", loads: "bigint" },
  },
  keyLength: 4,
};
const trouble: Written = {
  table: "trouble",
  columns: {
    ...{ subject: "text", hour: "bigint", code: "text", detail: "text" },
    ...{ times: "bigint", last_at: "bigint" },
  },
  keyLength: 4,
};
const use: Written = { table: "", columns: { id: "text", at: "bigint" }, keyLength: 1 };
const dismissal: Written = {
  table: "dismissal",
  columns: { day: "bigint", visitor: "bytea" },
  keyLength: 2,
};

/** What is worth knowing and is no fact. */
export function flushNotes(changes: NoteChanges): Statement[] {
  const { unkept, pings, refused, keyUses, grantUses, dismissals } = changes;
  return [
    ...addSums(unkeptEvent, unkept, { sums: ["events"] }),
    ...addSums(
      snippetPing,
      pings.map(({ websiteId, host, scriptVersion, hour, surface, url, at, loads }) => ({
        ...{ website_id: websiteId, host, script_version: scriptVersion, hour },
        ...{ surface, url, last_at: at, loads },
      })),
      { sums: ["loads"], latest: ["surface", "url", "last_at"] },
    ),
    ...flushRefused(refused),
    ...flushUses("api_key", keyUses),
    ...flushUses("oauth_grant", grantUses),
    ...flushDismissals(dismissals),
  ];
}

const flushRefused = (refused: NoteChanges["refused"]): Statement[] => {
  if (refused.length === 0) return [];
  const rows = refused.map(({ subject, hour, code, detail, times, at }) => ({
    ...{ subject, hour, code, detail },
    ...{ times, last_at: at },
  }));
  const text = `insert into trouble (subject, hour, code, detail, times, last_at)
    select v.subject, v.hour, v.code, v.detail, v.times, v.last_at from ${recordset(trouble.columns)}
    on conflict (subject, hour, code, detail) do update set
      times = trouble.times + excluded.times, last_at = greatest(trouble.last_at, excluded.last_at)`;
  return [{ name: "add_trouble", text, values: [rowsOf(trouble, rows)] }];
};

/**
 * A row that somebody holds is left out, for the events of the same batch would wait with it, and be refused in the end. A
 * later use is noted again.
 */
const flushUses = (table: "api_key" | "oauth_grant", uses: ReadonlyMap<string, number>): Statement[] => {
  if (uses.size === 0) return [];
  const rows = [...uses].map(([id, at]) => ({ id, at }));
  const text = `update ${table} t set last_used_at = free.at from
    (select k.id, v.at from ${recordset(use.columns)} join ${table} k on k.id = v.id
      where coalesce(k.last_used_at, 0) < v.at order by k.id for no key update of k skip locked) free
    where t.id = free.id`;
  return [{ name: `note_use_of_${table}`, text, values: [rowsOf(use, rows)] }];
};

const flushDismissals = (dismissals: NoteChanges["dismissals"]): Statement[] => {
  if (dismissals.length === 0) return [];
  const rows = dismissals.map(({ day, visitor }) => ({ day, visitor: bytesOf(visitor) }));
  return [
    {
      name: "add_dismissals",
      // Not by `on conflict` alone, which would use up a number: repetitions would drive out other visitors.
      text: `insert into dismissal (day, visitor) select v.day, v.visitor from ${recordset(dismissal.columns)}
        where not exists (select 1 from dismissal d where d.day = v.day and d.visitor = v.visitor)
        on conflict (day, visitor) do nothing`,
      values: [rowsOf(dismissal, rows)],
    },
    {
      name: "drop_dismissals",
      text: `delete from dismissal where number <= (select max(number) from dismissal) - ${dismissalsKept}`,
      values: [],
    },
  ];
};
