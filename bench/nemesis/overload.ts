import { judgeFigures } from "../bars.ts";
import { type Check, equal } from "../checks.ts";
import type { RoundOptions } from "../rounds/measure.ts";
import { overloadRound } from "../rounds/overload.ts";
import { onDatabase } from "./on-database.ts";
import type { TrialOptions } from "./trial.ts";

/** Four times the clients, and half as many calls again as it can take: the bars of the bench, on either engine. */
export async function overload({ engine, say }: TrialOptions): Promise<Check[]> {
  return onDatabase(engine, async (environment) => {
    const options: RoundOptions = {
      ...{ rounds: 1, requests: 0, warmUp: 8000, clients: 64, websites: 1, scale: 1 },
      ...{ wrong: [], say },
    };
    const figures = await overloadRound(options, environment);
    return [
      equal("answers before it that should not be", options.wrong.slice(0, 3).join("; "), ""),
      ...judgeFigures(figures),
    ];
  });
}
