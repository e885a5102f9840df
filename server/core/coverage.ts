import type { Location } from "@offers/contract/location";

/** Whether an offer's coverage holds a location: `*`, its country, or its region (`US-NJ`). Unknown is in `*` alone. */
export function coversLocation(coverage: readonly string[], { country, region }: Location): boolean {
  return (
    coverage.includes("*") ||
    coverage.includes(country) ||
    (region !== "" && coverage.includes(`${country}-${region}`))
  );
}
