import type { Database as Sqlite } from "better-sqlite3";
import type { JournalEntry, JournalOutcome, SnippetPingEntry } from "../../core/journal-entry.ts";
import { recordClick } from "./record-click.ts";
import { prepareRecordOpened, prepareRecordTriggered } from "./record-decline.ts";
import { recordImpression } from "./record-impression.ts";
import { prepareRecordServerEvent } from "./record-server-event.ts";
import { recordBlocked, recordServed } from "./record-visit.ts";
import type { Recording } from "./recording.ts";

/** Prepares what writes one entry, of whatever kind, inside the caller's write transaction. */
export function prepareRecordEntry(
  sqlite: Sqlite,
): (entry: JournalEntry, recording: Recording) => JournalOutcome {
  const recordPing = preparePing(sqlite);
  const recordOpened = prepareRecordOpened(sqlite);
  const recordTriggered = prepareRecordTriggered(sqlite);
  const recordServerEvent = prepareRecordServerEvent(sqlite);
  const noteKeyUse = sqlite.prepare(
    "update api_key set last_used_at = max(coalesce(last_used_at, 0), ?) where id = ?",
  );
  return (entry, recording) => {
    switch (entry.kind) {
      case "blocked":
        return recordBlocked(entry, recording);
      case "served":
        return recordServed(entry, recording);
      case "impression":
        return recordImpression(entry, recording);
      case "click_beacon":
      case "click_hop":
        return recordClick(entry, recording);
      case "snippet_ping":
        recordPing(entry);
        return { eventId: null, refusal: null, billedMicros: null };
      case "server_event":
        return recordServerEvent(entry, recording);
      case "decline_opened":
        return recordOpened(entry);
      case "decline_triggered":
        return recordTriggered(entry, recording);
      case "key_used":
        noteKeyUse.run(entry.at, entry.keyId);
        return { eventId: null, refusal: null, billedMicros: null };
      default:
        return entry satisfies never;
    }
  };
}

const hourMs = 60 * 60 * 1000;

/** However often a page pings, an hour of one script version on one host is one row. */
const preparePing = (sqlite: Sqlite): ((entry: SnippetPingEntry) => void) => {
  const upsert = sqlite.prepare(
    `insert into snippet_ping (website_id, host, script_version, hour, surface, url, last_at)
     values (?, ?, ?, ?, ?, ?, ?)
     on conflict (website_id, host, script_version, hour)
     do update set surface = excluded.surface, url = excluded.url, last_at = excluded.last_at`,
  );
  return ({ websiteId, host, scriptVersion, surface, url, at }) => {
    upsert.run(websiteId, host, scriptVersion, at - (at % hourMs), surface, url, at);
  };
};
