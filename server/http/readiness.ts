import type { Context } from "../context.ts";
import { oldDataWarning, oldListWarning } from "../core/data-age.ts";

/** Why new visitors should not be sent here; null: they may be. */
export function refusalToServe({ isDraining, store }: Context): string | null {
  if (isDraining()) return "The service is shutting down.";
  return store.isReady() ? null : "The service is without its database.";
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
