/** Four lines from 0 upwards, the last at or above the largest value, at round numbers: 0, 200, 400, 600. */
export function gridLines(largest: number, isWhole: boolean): number[] {
  const least = Math.max(largest / 3, isWhole ? 1 : 1e-6);
  const power = 10 ** Math.floor(Math.log10(least));
  const steps = [1, 2, 2.5, 3, 4, 5, 10]
    .map((step) => step * power)
    .filter((step) => !isWhole || step % 1 === 0);
  // What floats make of 3 × 0.1 is below 0.3 by a hair now and then.
  const step = steps.find((candidate) => candidate * (1 + 1e-9) >= least) ?? 10 * power;
  return [0, step, 2 * step, 3 * step];
}

/** Where in a width each of `count` points stands; one alone stands in the middle. */
export function placeOf(index: number, count: number, from: number, to: number): number {
  return count === 1 ? (from + to) / 2 : from + (index / (count - 1)) * (to - from);
}

/** How the label of a point lies to it: those of the first and the last would reach over the chart's edges. */
export function anchorOf(index: number, count: number): "start" | "middle" | "end" {
  if (count === 1) return "middle";
  if (index === 0) return "start";
  return index === count - 1 ? "end" : "middle";
}

/** Runs of points that have a value, each as the places of its first and its last: between them a line has a gap. */
export function runsOf(values: readonly (number | null)[]): (readonly [first: number, last: number])[] {
  const runs: [number, number][] = [];
  for (const [index, value] of values.entries()) {
    const last = runs.at(-1);
    if (value === null) continue;
    if (last?.[1] === index - 1) last[1] = index;
    else runs.push([index, index]);
  }
  return runs;
}

/** Which of the points is nearest to a place. */
export function nearestTo(place: number, count: number, from: number, to: number): number {
  const share = (place - from) / (to - from || 1);
  return Math.min(count - 1, Math.max(0, Math.round(share * (count - 1))));
}

/** Which points get their label below the chart: no more than fit with `room` each, all at the same distance. */
export function labelledPoints(count: number, width: number, room: number): number[] {
  const most = Math.max(1, Math.floor(width / room));
  const every = Math.max(1, Math.ceil(count / most));
  return Array.from({ length: count }, (_, index) => index).filter((index) => index % every === 0);
}
