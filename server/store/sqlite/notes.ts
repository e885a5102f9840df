import type { Database as Sqlite } from "better-sqlite3";
import { refusedCallsKept } from "../../core/refused-call.ts";
import type { Notes } from "../journal/recording.ts";

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
  const unkept = sqlite.prepare(
    `insert into unkept_event (cell, day, events) values (?, ?, ?)
     on conflict (cell, day) do update set events = events + excluded.events`,
  );
  return {
    unkept: ({ cell, day, events }) => void unkept.run(cell, day, events),
    ping: ({ websiteId, host, scriptVersion, surface, url, at }, hour) =>
      void ping.run(websiteId, host, scriptVersion, hour, surface, url, at),
    refusedCalls: ({ websiteId, origin, code, calls, at }) => {
      refused.run(websiteId, origin, code, calls, at);
      dropOldRefused.run(websiteId);
    },
    keyUse: ({ keyId, at }) => void keyUse.run(at, keyId),
  };
}
