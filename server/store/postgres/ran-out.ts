import type pg from "pg";
import type { RanOut } from "../../core/budget.ts";
import { type Budgets, dearerThan, type PricedOffer } from "../rows/budgets.ts";
import { ask } from "./pipeline.ts";

/**
 * Prepares the question which offers a batch that is committed has left with less than their next event costs. Where it is an
 * advertiser's balance, its other offers are among them: those are asked for once, for each sum that was paid in.
 */
export function prepareRanOut(client: pg.Client): (budgets: Budgets) => Promise<RanOut[]> {
  const told = new Map<string, number>();
  return async (budgets) => {
    const { offers, broke } = budgets.takeRanOut();
    const asked = broke.filter(({ id, depositedMicros }) => told.get(id) !== depositedMicros);
    if (asked.length === 0) return offers;
    try {
      const siblings = await ask<PricedOffer & { advertiser_id: string }>(client, {
        name: "read_siblings",
        text: `select o.advertiser_id, o.number, o.payout_model, o.payout_micros
          from unnest($1::text[]) k(id) join offer o on o.advertiser_id = k.id`,
        values: [asked.map(({ id }) => id)],
      });
      for (const { id, depositedMicros } of asked) told.set(id, depositedMicros);
      const others = asked.flatMap(({ id, leftMicros }) => {
        const own = siblings.filter(({ advertiser_id }) => advertiser_id === id);
        return dearerThan(leftMicros, own);
      });
      return [...offers, ...others.map((offer) => ({ offer, day: null }))];
    } catch {
      // The batch is committed: a connection that fails from here on must not make anybody believe the opposite.
      return offers;
    }
  };
}
