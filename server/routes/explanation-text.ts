import { toldOffer } from "../core/explanation.ts";
import type { ExplainedOffer } from "../core/offer-choice.ts";
import { oneAfterAnother } from "../core/one-after-another.ts";
import { inSlices } from "./in-slices.ts";

/** The text of an explanation, as it is sent. It takes no longer than some milliseconds of any turn of the event loop. */
export async function explanationText({
  told,
  offers,
  isTold = () => true,
}: {
  /** What is told before the offers: one member at least. */
  told: object;
  offers: Iterable<ExplainedOffer>;
  /** Which of them are told and counted; all, where it is left out. */
  isTold?: (explained: ExplainedOffer) => boolean;
}): Promise<string> {
  let text = `${JSON.stringify(told).slice(0, -1)},"offers":[`;
  let [considered, removed] = [0, 0];
  await inSlices(offers, (explained) => {
    if (!isTold(explained)) return;
    const separator = considered + removed > 0 ? "," : "";
    text += `${separator}${JSON.stringify(toldOffer(explained))}`;
    if (explained.rank === null) removed += 1;
    else considered += 1;
  });
  return `${text}],"considered":${considered},"removed":${removed}}`;
}

/** Does one work after another, and resolves with what came of it; null when as many wait as may. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T> | null;

/** A row in which `most` may stand, with the one whose turn it is. */
export function createTurns(most: number): InTurn {
  const inTurn = oneAfterAnother();
  let waiting = 0;
  return (work) => {
    if (waiting >= most) return null;
    waiting += 1;
    return inTurn(work).finally(() => {
      waiting -= 1;
    });
  };
}
