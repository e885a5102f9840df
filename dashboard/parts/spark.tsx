import { placeOf } from "../chart-scale.ts";

/** A line without axes, to be compared with those above and below it; its figures stand beside it. */
export function Spark({ values }: { values: readonly number[] }) {
  const top = Math.max(1, ...values);
  const path = values
    .map(
      (value, index) =>
        `${index ? "L" : "M"}${placeOf(index, values.length, 1, 63).toFixed(1)} ${(17 - (value / top) * 15).toFixed(1)}`,
    )
    .join("");
  return (
    <svg class="spark" viewBox="0 0 64 18" aria-hidden="true">
      <path d={path} />
    </svg>
  );
}
