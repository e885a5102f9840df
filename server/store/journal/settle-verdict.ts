import type { EventVerdict } from "../../core/event-verdict.ts";
import type { EventRow } from "../sqlite/event-rows.ts";
import { billRow, type Recording } from "./recording.ts";

/** Writes a verdict into a row that is not saved yet; a charge that finds some cap used up becomes a refusal. */
export function settleVerdict(row: EventRow, verdict: EventVerdict, recording: Recording): void {
  switch (verdict.outcome) {
    case "refuse":
      row.reason = verdict.reason;
      return;
    case "count_only":
      return;
    case "charge":
      row.billed_micros = billRow(recording, row, verdict.micros);
      if (row.billed_micros === null) row.reason = "budget_exhausted";
      return;
    default:
      verdict satisfies never;
  }
}
