import type { Context } from "../context.ts";
import { oldDataWarning, oldListWarning } from "../core/data-age.ts";
import { isRequestTime } from "../core/request-key.ts";

/** Why new visitors should not be sent here; null: they may be. */
export function refusalToServe({ isDraining, store, clock }: Context): string | null {
  if (isDraining()) return "The service is shutting down.";
  if (!store.isReady()) return "The service is without its database.";
  if (!store.isClockBearable()) return "The service's clock is more than half a minute off its database's.";
  // As on a machine that has just been switched on: every visitor would be answered 500.
  return isRequestTime(clock()) ? null : "The service's clock is not set.";
}

/** What an operator should look after, although visitors may be sent here. */
export function readinessWarnings(context: Context): string[] {
  const now = context.clock();
  return [
    oldDataWarning(context.geo.sources()[0], now),
    ...context.networks.lists().map((list) => oldListWarning(list, now)),
    ...context.store.warnings(),
  ].filter((warning) => warning !== null);
}
