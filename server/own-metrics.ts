import type { Config } from "./config.ts";
import type { Metrics } from "./metrics/open-metrics.ts";
import { readProgramVersion } from "./program-version.ts";

/** Metrics at their own address; null: none are asked for, and nothing of them is loaded. */
export async function openOwnMetrics(
  config: Pick<Config, "metricsAddress" | "database">,
): Promise<Metrics | null> {
  if (config.metricsAddress === null) return null;
  const { openMetrics } = await import("./metrics/open-metrics.ts");
  const { engine } = config.database;
  const build = { version: readProgramVersion(), node_version: process.version, engine };
  try {
    return await openMetrics(config.metricsAddress, build);
  } catch (error) {
    const { message } = error as Error;
    throw new Error(`the address of metrics (METRICS_HOST, METRICS_PORT) cannot be listened at: ${message}`, {
      cause: error,
    });
  }
}
