import type { Database as Sqlite } from "better-sqlite3";
import { refusedCallsKept } from "../../core/refused-call.ts";
import { dismissalsKept } from "../../core/showing.ts";
import type { Notes } from "../journal/recording.ts";
import { bytesOf } from "./row-bytes.ts";

const dayMs = 24 * 60 * 60 * 1000;

/** Prepares the statements on what is worth knowing and is no fact. */
export function prepareNotes(sqlite: Sqlite): Notes {
  const ping = sqlite.prepare(
    `insert into snippet_ping (website_id, host, script_version, hour, surface, url, last_at)
     values (?, ?, ?, ?, ?, ?, ?)
     on conflict (website_id, host, script_version, hour)
     do update set surface = excluded.surface, url = excluded.url, last_at = excluded.last_at`,
  );
  const keyUse = sqlite.prepare(
    "update api_key set last_used_at = max(coalesce(last_used_at, 0), ?) where id = +?",
  );
  const grantUse = sqlite.prepare(
    "update oauth_grant set last_used_at = max(coalesce(last_used_at, 0), ?) where id = +?",
  );
  const refused = sqlite.prepare(
    `insert into refused_call (website_id, origin, code, times, last_at) values (?, ?, ?, ?, ?)
     on conflict (website_id, origin, code)
     do update set times = times + excluded.times, last_at = max(last_at, excluded.last_at)`,
  );
  const dropOldRefused = sqlite.prepare(
    `delete from refused_call where (website_id, origin, code) in
       (select website_id, origin, code from refused_call where website_id = ?
        order by last_at desc, origin, code limit -1 offset ${refusedCallsKept})`,
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
    ping: ({ websiteId, host, scriptVersion, surface, url, at }, hour) =>
      void ping.run(websiteId, host, scriptVersion, hour, surface, url, at),
    refusedCalls: ({ websiteId, origin, code, calls, at }) => {
      refused.run(websiteId, origin, code, calls, at);
      dropOldRefused.run(websiteId);
    },
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
