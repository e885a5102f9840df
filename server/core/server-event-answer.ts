import type { ServerEventAnswer } from "@offers/contract/server-events";
import type { JournalOutcome } from "./journal-entry.ts";

/** What a server is told about the event that it reported. */
export function serverEventAnswer({ eventId, refusal }: JournalOutcome): ServerEventAnswer {
  if (eventId === null) throw new TypeError("a reported event has an id");
  return { id: eventId, accepted: refusal === null, ...(refusal !== null && { reason: refusal }) };
}
