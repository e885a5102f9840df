import type { Config } from "../config.ts";
import type { CatalogueHandle } from "../store/catalogue/catalogue-handle.ts";
import { isEmpty } from "./catalogue-is-empty.ts";
import { awaitsDemoTraffic } from "./demo-traffic-awaited.ts";

/**
 * Fills an empty database with the demo's catalogue, and where that is wanted with traffic of the past; returns whether
 * anything was written. A start that was cut off between the two is completed by the next one. Of the program that fills,
 * nothing is loaded where there is nothing to fill.
 * @param now milliseconds since the epoch.
 */
export async function fillDemo(
  catalogue: CatalogueHandle,
  config: Pick<Config, "database" | "demoOrigin" | "production" | "seedDemo">,
  now: number,
): Promise<boolean> {
  const { database, demoOrigin, production, seedDemo: wanted } = config;
  if (wanted === "nothing") return false;
  const withTraffic = wanted === "traffic";
  let isFilled = false;
  if (await isEmpty(catalogue)) {
    // With the command line's rules comes the list of all public suffixes, some megabytes.
    const { seedDemo } = await import("./demo-seed.ts");
    const { demoTrafficStart } = await import("./demo-traffic.ts");
    // What is older than the traffic on it: nobody is visited before they are there.
    const createdAt = withTraffic ? demoTrafficStart(now) : now;
    isFilled = await seedDemo(catalogue, { now: createdAt, demoOrigin, production });
  }
  if (!withTraffic || !(await awaitsDemoTraffic(catalogue))) return isFilled;
  const { seedDemoTrafficAside } = await import("./demo-traffic-aside.ts");
  await seedDemoTrafficAside({ database, now });
  return true;
}
