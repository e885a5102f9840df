import { simulateAll } from "../simulator.ts";
import { type Figures, median, type RoundOptions } from "./measure.ts";

/** What learnt click rates earn, of an oracle's revenue: twenty runs, for one place alone and for a whole answer. */
export async function simulatorRound({ scale, say }: RoundOptions): Promise<Figures> {
  const figures: Figures = {};
  for (const [name, standard] of [
    ["onePlace", 0],
    ["wholeAnswer", 6],
  ] as const) {
    const runs = simulateAll({ runs: 20, requests: Math.round(200_000 * scale), offers: 30, standard });
    const worst = (shares: readonly number[]): number => 100 * Math.min(...shares);
    const learnt = worst(runs.map((run) => run.learnt));
    const late = worst(runs.map((run) => run.learntLate));
    const fixed = runs.map((run) => 100 * run.fixed);
    say(
      `${name}: ${learnt.toFixed(2)} % of the oracle's revenue in the worst run, ${late.toFixed(2)} % over its last ` +
        `quarter; a fixed order by price ${Math.min(...fixed).toFixed(1)} %, in the middle ${median(fixed).toFixed(1)} %`,
    );
    figures[`simulator.${name}.learnt`] = learnt;
    figures[`simulator.${name}.late`] = late;
    figures[`simulator.${name}.fixed`] = median(fixed);
  }
  return figures;
}
