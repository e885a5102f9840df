import type { Database as Sqlite } from "better-sqlite3";
import type { CallsRefusedEntry } from "../../core/journal-entry.ts";
import { otherRefusals, refusedDetailsKept } from "../../core/refused-call.ts";
import { dismissalsKept } from "../../core/showing.ts";
import { type NotedPage, otherPages, pingedPagesKept } from "../../core/snippet-ping.ts";
import { dayMs } from "../../core/utc-day.ts";
import type { Notes } from "../journal/recording.ts";
import { bytesOf } from "../rows/row-bytes.ts";

/** Prepares the statements on what is worth knowing and is no fact. */
export function prepareNotes(sqlite: Sqlite): Notes {
  const keyUse = sqlite.prepare(
    "update api_key set last_used_at = max(coalesce(last_used_at, 0), ?) where id = +?",
  );
  const refused = prepareRefused(sqlite);
  const grantUse = sqlite.prepare(
    "update oauth_grant set last_used_at = max(coalesce(last_used_at, 0), ?) where id = +?",
  );
  // Not `on conflict do nothing`, which would use up a number: repetitions would drive out other visitors.
  const dismissal = sqlite.prepare(
    `insert into dismissal (day, visitor) select ?, ?
     where not exists (select 1 from dismissal where day = +? and visitor = +?)`,
  );
  const dropOldDismissals = sqlite.prepare("delete from dismissal where number <= +?");
  const unkept = sqlite.prepare(
    `insert into unkept_event (cell, hour, offer, placement, events) values (?, ?, ?, ?, ?)
     on conflict (cell, hour, offer, placement) do update set events = events + excluded.events`,
  );
  return {
    unkept: ({ cell, hour, offer, placement, events }) =>
      void unkept.run(cell, hour, offer, placement, events),
    ping: preparePing(sqlite),
    refusedCalls: refused,
    dismissal: ({ visitor, at }) => {
      const row = [at - (at % dayMs), bytesOf(visitor)] as const;
      const { changes, lastInsertRowid } = dismissal.run(...row, ...row);
      // The numbers have no gaps but those of the purge, which takes the oldest.
      if (changes > 0) dropOldDismissals.run(Number(lastInsertRowid) - dismissalsKept);
    },
    keyUse: ({ keyId, at }) => void keyUse.run(at, keyId),
    grantUse: ({ grantId, at }) => void grantUse.run(at, grantId),
  };
}

/** Prepares what counts pings: in the row of their page, and without one where the hour has too many. */
const preparePing = (sqlite: Sqlite): Notes["ping"] => {
  const again = sqlite.prepare(
    `update snippet_ping set surface = ?, url = ?, last_at = ?, loads = loads + 1
     where website_id = +? and host = ? and script_version = ? and hour = +?`,
  );
  const pages = sqlite
    .prepare<[number, number], number>(
      `select count(*) from (select 1 from snippet_ping where website_id = +? and hour = +?
         and host <> '${otherPages.host}' limit ${pingedPagesKept})`,
    )
    .pluck();
  const first = sqlite.prepare(
    `insert into snippet_ping (surface, url, last_at, website_id, host, script_version, hour)
     values (?, ?, ?, ?, ?, ?, ?)`,
  );
  return ({ websiteId, surface, at, ...told }, hour) => {
    const values = ({ host, url, scriptVersion }: NotedPage) =>
      [surface, url, at, websiteId, host, scriptVersion, hour] as const;
    if (again.run(...values(told)).changes > 0) return;
    if ((pages.get(websiteId, hour) ?? 0) < pingedPagesKept) first.run(...values(told));
    else if (again.run(...values(otherPages)).changes === 0) first.run(...values(otherPages));
  };
};

/** Prepares what counts refused calls: in the row of their detail, and without one where the hour has too many. */
const prepareRefused = (sqlite: Sqlite): Notes["refusedCalls"] => {
  const again = sqlite.prepare(
    `update trouble set times = times + ?, last_at = max(last_at, ?)
     where subject = ? and hour = +? and code = ? and detail = ?`,
  );
  const details = sqlite
    .prepare<[string, number], number>(
      `select count(*) from trouble where subject = ? and hour = +? and code <> '${otherRefusals}'`,
    )
    .pluck();
  const first = sqlite.prepare(
    "insert into trouble (subject, hour, code, detail, times, last_at) values (?, ?, ?, ?, ?, ?)",
  );
  const count = ({ subject, code, detail, calls, at }: CallsRefusedEntry, hour: number): void => {
    if (again.run(calls, at, subject, hour, code, detail).changes > 0) return;
    const isNamed = code === otherRefusals || (details.get(subject, hour) ?? 0) < refusedDetailsKept;
    if (isNamed) first.run(subject, hour, code, detail, calls, at);
    else count({ kind: "calls_refused", subject, code: otherRefusals, detail: "", calls, at }, hour);
  };
  return count;
};
