/** How many regions a message names before it stops. */
const most = 12;

/**
 * Why no visitor is ever located at an entry of a geo rule or coverage (`DE`, `US-NJ`), or null when some may be: a rule
 * that can never match would let its author believe in it.
 * @param everywhere every country and region that some address is in.
 */
export function neverLocated(entry: string, everywhere: ReadonlySet<string>): string | null {
  if (entry === "*" || everywhere.has(entry)) return null;
  const country = entry.slice(0, 2);
  if (entry === country || !everywhere.has(country))
    return `the location data knows no address in ${country}`;
  const regions = [...everywhere].filter((place) => place.startsWith(`${country}-`)).sort();
  if (regions.length === 0) return `the location data tells no regions of ${country} apart`;
  const named = regions.slice(0, most).join(", ") + (regions.length > most ? " …" : "");
  return `the location data knows no address in ${entry}; of ${country} it tells ${named}`;
}
