import { placementNumber } from "../../core/handed-offers.ts";
import type { JournalEntry, JournalOutcome } from "../../core/journal-entry.ts";
import { hourMs, hourNumber } from "../../core/utc-day.ts";
import { recordClick } from "./record-click.ts";
import { recordOpened, recordTriggered } from "./record-decline.ts";
import { recordImpression } from "./record-impression.ts";
import { recordUnkept } from "./record-repetition.ts";
import { recordServerEvent } from "./record-server-event.ts";
import { recordBlocked, recordDrawn, recordNoted, recordServed } from "./record-visit.ts";
import { noEvent, type Recording } from "./recording.ts";

/** Writes one entry, of whatever kind, by the ports of a transaction. */
export function recordEntry(entry: JournalEntry, recording: Recording): JournalOutcome {
  switch (entry.kind) {
    case "blocked":
      return recordBlocked(entry, recording);
    case "served":
      return recordServed(entry, recording);
    case "noted":
      return recordNoted(entry, recording);
    case "drawn":
      return recordDrawn(entry, recording);
    case "impression":
      return recordImpression(entry, recording);
    case "click_beacon":
    case "click_hop":
      return recordClick(entry, recording);
    case "clicks_refused":
      return recordUnkept(recording, {
        cell: recording.cells.numberOf(entry.cell),
        hour: hourNumber(entry.at),
        offer: entry.offer,
        placement: placementNumber(entry.placement),
        events: entry.clicks,
      });
    case "snippet_ping":
      // However often a page pings, an hour of one script version on one host is one row.
      recording.notes.ping(entry, entry.at - (entry.at % hourMs));
      return noEvent;
    case "dismissed":
      recording.notes.dismissal(entry);
      return noEvent;
    case "server_event":
      return recordServerEvent(entry, recording);
    case "decline_opened":
      return recordOpened(entry, recording);
    case "decline_triggered":
      return recordTriggered(entry, recording);
    case "calls_refused":
      recording.notes.refusedCalls(entry, entry.at - (entry.at % hourMs));
      return noEvent;
    case "key_used":
      recording.notes.keyUse(entry);
      return noEvent;
    case "grant_used":
      recording.notes.grantUse(entry);
      return noEvent;
    default:
      return entry satisfies never;
  }
}
