import { firstRefusal } from "../../core/event-verdict.ts";
import type {
  ClickBeaconEntry,
  ClickHopEntry,
  ImpressionEntry,
  JournalOutcome,
} from "../../core/journal-entry.ts";
import type { EventRow } from "../sqlite/event-rows.ts";
import { outcomeOf, type Recording, rowOfEntry, saveRow } from "./recording.ts";

/** Stores an event of which its offer already has the first one: it is kept, filtered, and moves nothing else. */
export function recordRepetition(
  entry: ImpressionEntry | ClickBeaconEntry | ClickHopEntry,
  served: EventRow | null,
  recording: Recording,
): JournalOutcome {
  const row = rowOfEntry(entry, recording.newEventId(), served);
  row.first = null;
  row.reason = firstRefusal([...entry.observed, "duplicate"]);
  saveRow(recording, null, row);
  return outcomeOf(row, null);
}
