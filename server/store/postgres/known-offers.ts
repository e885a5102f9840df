import type { PayoutModel } from "@offers/contract/words";
import type pg from "pg";
import type { JournalEntry } from "../../core/journal-entry.ts";
import { createRecent } from "../../core/recent.ts";
import { ask } from "./pipeline.ts";
import type { Reach } from "./reach.ts";
import { spendKey } from "./read-rows.ts";
import { spendsOf } from "./read-spends.ts";

/** Whose spends an offer's bills are taken from, and by which model the catalogue had it bill when it was last read. */
export type KnownOffer = { id: string; advertiserId: string; model: PayoutModel };

const offersRemembered = 50_000;
const spendsRemembered = 100_000;

export type KnownOffers = {
  /** Null: there was no offer of this number when it was last looked for. */
  offerOf(number: number): KnownOffer | null;
  /** Looks the offers up that the entries name and that are not known yet. */
  lookUp(entries: readonly JournalEntry[]): Promise<void>;
  /** Makes the rows of spends that a batch is going to lock, where there are none yet. */
  openSpends(reach: Reach): Promise<void>;
  /** What an offer's model is now, as a batch has read it. */
  note(number: number, model: PayoutModel): void;
  /** Forgets which rows there are: one was missing. */
  forget(): void;
};

/**
 * What a writer remembers of offers so that a batch can lock their spends before it reads anything. Whose an offer is never
 * changes, a row of a spend never goes, and a model that has changed since is noticed when the batch reads (reach.ts).
 */
export function rememberOffers(client: pg.Client): KnownOffers {
  const offers = createRecent<number, KnownOffer>(offersRemembered);
  const opened = createRecent<string, true>(spendsRemembered);
  const offerOf = (number: number): KnownOffer | null => offers.get(number) ?? null;
  return {
    offerOf,
    lookUp: async (entries) => {
      const unknown = new Set(entries.flatMap(billedOffer).filter((number) => offerOf(number) === null));
      if (unknown.size === 0) return;
      const rows = await ask<{
        number: number;
        id: string;
        advertiser_id: string;
        payout_model: PayoutModel;
      }>(client, {
        name: "look_up_offers",
        text: `select o.number, o.id, o.advertiser_id, o.payout_model
            from unnest($1::bigint[]) k(number) join offer o on o.number = k.number`,
        values: [[...unknown]],
      });
      for (const { number, id, advertiser_id: advertiserId, payout_model: model } of rows) {
        offers.set(number, { id, advertiserId, model });
      }
    },
    openSpends: async (reach) => {
      const missing = spendsOf(reach, offerOf).filter(
        ({ subject, day }) => !opened.get(spendKey(subject, day)),
      );
      if (missing.length === 0) return;
      missing.sort((one, other) =>
        one.subject < other.subject ? -1 : one.subject > other.subject ? 1 : one.day - other.day,
      );
      // In a transaction of its own: nobody waits for a row that a long batch has made.
      await ask(client, {
        name: "open_spends",
        text: `insert into spend (subject, day) select k.subject, k.day from unnest($1::text[], $2::bigint[]) k(subject, day)
          on conflict (subject, day) do nothing`,
        values: [missing.map(({ subject }) => subject), missing.map(({ day }) => day)],
      });
      for (const { subject, day } of missing) opened.set(spendKey(subject, day), true);
    },
    note: (number, model) => {
      const known = offers.get(number);
      if (known !== undefined && known.model !== model) offers.set(number, { ...known, model });
    },
    forget: opened.clear,
  };
}

const billedOffer = (entry: JournalEntry): number[] => {
  if (entry.kind === "impression" || entry.kind === "click_hop") return [entry.offer];
  return entry.kind === "server_event" && entry.type === "impression" ? [entry.offer.offer] : [];
};
