import { judgeFigures } from "../bars.ts";
import { atMost, type Check, equal } from "../checks.ts";
import type { Figures, RoundOptions } from "../rounds/measure.ts";
import { overloadRound } from "../rounds/overload.ts";
import { onDatabase } from "./on-database.ts";
import type { TrialOptions } from "./trial.ts";

/** Between what one of a hundred takes where calls are turned away, 144 at the most, and a second, where none was. */
const mostMs = 500;

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
      ...(engine === "sqlite" ? [atMost("p99 of accepted ones, in ms", acceptedMs(figures), mostMs)] : []),
    ];
  });
}

const acceptedMs = (figures: Figures): number =>
  Math.round(figures["overload.acceptedP99"] ?? Number.POSITIVE_INFINITY);
