import type { JournalEntry } from "../../core/journal-entry.ts";

/**
 * Which of two queues an entry goes by where a batch waits for the locks of the offers that it may bill. While somebody holds
 * an offer's lock, only what may be billed (`money`) waits for it; what costs nobody anything (`plain`) does not.
 */
export type Lane = "money" | "plain";

/**
 * `money`: what may be billed, as far as that is known before it is recorded, and what events that may be billed refer to
 * while nobody has heard yet that it is on the disk. An entry of the other lane is recorded no less exactly.
 */
export function laneOf(entry: JournalEntry): Lane {
  switch (entry.kind) {
    case "click_hop":
      return "money";
    case "impression":
      // One of an offer that has become another model since goes by the other lane, where it is billed no less exactly.
      return !entry.visit.test && entry.isBilledByViews ? "money" : "plain";
    case "server_event":
      // Behind the decision that it names: a server may report what it was answered before that is committed.
      return entry.standsAlone ? "plain" : "money";
    case "blocked":
      // Its link may be followed before it is committed (decisions.md#lanes).
      return entry.offer === undefined ? "plain" : "money";
    case "served":
    case "noted":
    case "drawn":
    case "click_beacon":
    case "clicks_refused":
    case "dismissed":
    case "snippet_ping":
    case "decline_opened":
    case "decline_triggered":
    case "calls_refused":
    case "key_used":
    case "grant_used":
      return "plain";
    default:
      return entry satisfies never;
  }
}
