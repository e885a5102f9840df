import type { Service } from "./service.ts";

/** Lets a service tell its metrics at a port that its log names, and no calls. */
export const metricsEnvironment = { METRICS_PORT: "0", LOG_LEVEL: "info", ACCESS_LOG: "0" };

/** Where a service tells its metrics, once it has been started with an address for them. To be asked soon: its log is long. */
export function metricsUrl(service: Service): string {
  // Of its last start.
  const port = [...service.log().matchAll(/"metrics_open","port":(\d+)/g)].at(-1)?.[1];
  if (port === undefined) throw new Error("the log does not say where the metrics are");
  return `http://127.0.0.1:${port}/metrics`;
}
