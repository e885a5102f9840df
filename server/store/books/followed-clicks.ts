import type { RefusalReason } from "@offers/contract/words";
import { requestLifetimes } from "@offers/contract/words";
import { type Kysely, sql } from "kysely";
import { factTypes } from "../../core/fact.ts";
import { placementOf } from "../../core/handed-offers.ts";
import { requestKeysSince } from "../../core/request-key.ts";
import { dayMs } from "../../core/utc-day.ts";
import type { Schema } from "../schema.ts";

/** A link that was followed to its advertiser. */
export type FollowedClick = {
  /** What the landing page was told as `{click_id}`. */
  clickId: string;
  /** Milliseconds since the epoch: that of the event, by whose day it is billed. */
  at: number;
  offerId: string;
  websiteKey: string;
  country: string;
  region: string;
  placement: string | null;
  /** Null: it counts. */
  reason: RefusalReason | null;
  /** Null: nothing was billed. */
  billedMicros: number | null;
  currency: string;
  /** Of a development website: nothing of it is ever billed. */
  test: boolean;
};

/**
 * The clicks on an offer, or on all offers of an advertiser, that were followed from one UTC date to another, both included, as
 * far as their events are kept: in the order of their visits, `most` of them.
 */
export async function readFollowedClicks(
  db: Kysely<Schema>,
  asked: { from: string; to: string; most: number } & ({ offerId: string } | { advertiserId: string }),
): Promise<FollowedClick[]> {
  const [from, end] = [Date.parse(asked.from), Date.parse(asked.to) + dayMs];
  // A link may be followed as long as its visit lives; facts sort by when their visit began.
  const oldest = from - requestLifetimes.eventsSeconds * 1000;
  const rows = await db
    .selectFrom("fact")
    .innerJoin("offer", "offer.number", "fact.offer")
    .innerJoin("cell", "cell.id", "fact.cell")
    .innerJoin("website", "website.id", "cell.website_id")
    .select(["fact.click_id", "fact.at", "fact.reason", "fact.billed_micros", "fact.placement"])
    .select(["offer.id as offerId", "offer.currency", "website.key as websiteKey"])
    .select(["cell.country", "cell.region", "cell.test"])
    .where("fact.request", ">=", requestKeysSince(oldest))
    .where("fact.request", "<", requestKeysSince(end))
    .where("fact.type", "=", factTypes.click)
    .where("fact.hop_after", "is not", null)
    .where("fact.at", ">=", from)
    .where("fact.at", "<", end)
    .where((eb) =>
      "offerId" in asked
        ? eb("offer.id", "=", asked.offerId)
        : eb("offer.advertiser_id", "=", asked.advertiserId),
    )
    .orderBy("fact.request")
    .orderBy("fact.offer")
    .orderBy("fact.seq")
    .limit(sql.lit(asked.most))
    .execute();
  return rows.map(({ click_id, billed_micros, placement, test, ...row }) => ({
    ...row,
    clickId: Buffer.from(click_id ?? []).toString("base64url"),
    placement: placementOf(placement ?? 0),
    billedMicros: billed_micros,
    test: test === 1,
  }));
}
