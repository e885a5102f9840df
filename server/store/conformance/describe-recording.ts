import { describeBilling } from "./describe-billing.ts";
import { describeRates } from "./describe-rates.ts";
import { describeRefusals } from "./describe-refusals.ts";
import { describeRepetitions } from "./describe-repetitions.ts";
import type { EngineUnderTest } from "./engine-under-test.ts";

/** What becomes of entries: repetitions, refusals, what bills and what does not, and what click rates learn. */
export function describeRecording(engine: EngineUnderTest): void {
  describeRepetitions(engine);
  describeRefusals(engine);
  describeBilling(engine);
  describeRates(engine);
}
