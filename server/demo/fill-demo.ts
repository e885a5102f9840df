import type { Config } from "../config.ts";
import { aloneOnDatabase } from "../store/catalogue/alone.ts";
import type { CatalogueHandle } from "../store/catalogue/catalogue-handle.ts";
import { isEmpty } from "./catalogue-is-empty.ts";
import { awaitsDemoTraffic } from "./traffic-awaited.ts";

/**
 * Fills an empty database with the demo's catalogue, and where that is wanted with traffic of the past; returns whether
 * anything was written. A start that was cut off between the two is completed by the next one. Of the program that fills,
 * nothing is loaded where there is nothing to fill.
 * @param now milliseconds since the epoch.
 */
export async function fillDemo(
  catalogue: CatalogueHandle,
  config: DemoConfig,
  now: number,
): Promise<boolean> {
  if (config.seedDemo === "nothing") return false;
  // Two nodes that start at once would both find nothing recorded, and both record the past.
  return aloneOnDatabase(catalogue, () => fill(catalogue, config, now));
}

type DemoConfig = Pick<Config, "database" | "demoOrigin" | "production" | "seedDemo">;

const fill = async (
  catalogue: CatalogueHandle,
  { database, demoOrigin, production, seedDemo: wanted }: DemoConfig,
  now: number,
): Promise<boolean> => {
  const withTraffic = wanted === "traffic";
  let isFilled = false;
  if (await isEmpty(catalogue)) {
    // With the command line's rules comes the list of all public suffixes, some megabytes.
    const { seedDemo } = await import("./seed.ts");
    const { demoTrafficStart } = await import("./traffic.ts");
    // What is older than the traffic on it: nobody is visited before they are there.
    const createdAt = withTraffic ? demoTrafficStart(now) : now;
    isFilled = await seedDemo(catalogue, { now: createdAt, demoOrigin, production });
  }
  if (!withTraffic || !(await awaitsDemoTraffic(catalogue))) return isFilled;
  const { seedDemoTrafficAside } = await import("./traffic-aside.ts");
  await seedDemoTrafficAside({ database, now });
  return true;
};
