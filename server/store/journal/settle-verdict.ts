import type { EventVerdict } from "../../core/event-verdict.ts";
import { billFact, type Fact, type Recording } from "./recording.ts";

/** Writes a verdict into a fact that is not saved yet; a charge that finds some cap used up becomes a refusal. */
export function settleVerdict(fact: Fact, verdict: EventVerdict, recording: Recording): void {
  switch (verdict.outcome) {
    case "refuse":
      fact.reason = verdict.reason;
      return;
    case "count_only":
      return;
    case "charge": {
      const billed = billFact(recording, fact, verdict.micros);
      if (billed === null) fact.reason = "budget_exhausted";
      else Object.assign(fact, billed);
      return;
    }
    default:
      verdict satisfies never;
  }
}
