/** How many of the values so far lay at or below each bound, as a Prometheus histogram counts them. */
export type BucketCounts = {
  /** Ascending; what lies above the last one is in `count` alone. */
  bounds: readonly number[];
  /** One for each bound, each with all those before it. */
  atMost: readonly number[];
  sum: number;
  count: number;
};

export type Buckets = {
  /** Counts a value: a few comparisons, and nothing is allocated. */
  add(value: number): void;
  read(): BucketCounts;
};

/** Counts values by fixed bounds, which ascend and have the unit of the values. */
export function createBuckets(bounds: readonly number[]): Buckets {
  const counts = new Float64Array(bounds.length + 1);
  let sum = 0;
  return {
    add: (value) => {
      let at = 0;
      while (at < bounds.length && value > (bounds[at] ?? 0)) at += 1;
      counts[at] = (counts[at] ?? 0) + 1;
      sum += value;
    },
    read: () => {
      let so = 0;
      const atMost = bounds.map((_, at) => {
        so += counts[at] ?? 0;
        return so;
      });
      return { bounds, atMost, sum, count: so + (counts[bounds.length] ?? 0) };
    },
  };
}
