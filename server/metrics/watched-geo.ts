import type { Geo } from "../geo/geo.ts";

/** How many addresses were looked for, and what the data said of them. */
export type LookupCounts = {
  /** The same source of locations, counted from now on. */
  watch<Source extends Geo>(geo: Source): Source;
  read(): { bySource: ReadonlyMap<string, number>; disputed: number };
};

export function countLookups(): LookupCounts {
  const bySource = new Map<string, number>([[none, 0]]);
  let disputed = 0;
  return {
    watch: (geo) => ({
      ...geo,
      find: (address) => {
        const found = geo.find(address);
        const source = found.located.source === "none" ? none : found.dataSet.name;
        bySource.set(source, (bySource.get(source) ?? 0) + 1);
        if (found.isDisputed) disputed += 1;
        return found;
      },
    }),
    read: () => ({ bySource, disputed }),
  };
}

const none = "none";
