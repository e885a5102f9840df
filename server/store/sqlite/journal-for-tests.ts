import type { OfferId } from "@offers/contract/ids";
import type { PayoutModel, RefusalReason } from "@offers/contract/words";
import type { Kysely } from "kysely";
import type {
  BlockedEntry,
  ClickBeaconEntry,
  ClickHopEntry,
  ImpressionEntry,
  ServedEntry,
  Visit,
} from "../../core/journal-entry.ts";
import type { OfferTable, Schema } from "../schema.ts";

/** Ten in the morning of the day on which most tests play. */
export const morning = Date.UTC(2026, 4, 4, 10);

type OfferLimits = Partial<
  Pick<
    OfferTable,
    "daily_budget_micros" | "total_budget_micros" | "daily_click_cap" | "total_click_cap" | "payout_model"
  >
>;

/** An advertiser with a deposit and its line in the book. */
export async function addAdvertiser(db: Kysely<Schema>, id: string, micros: number): Promise<void> {
  await db
    .insertInto("advertiser")
    .values({ id, name: id, deposited_micros: micros, created_at: morning })
    .execute();
  await db
    .insertInto("ledger_line")
    .values({ at: morning, day: "2026-05-04", kind: "deposit", advertiser_id: id, micros })
    .execute();
}

/** An active offer; without a model it is CPC. */
export async function addOffer(
  db: Kysely<Schema>,
  offer: { id: string; advertiser: string; payoutMicros: number } & OfferLimits,
): Promise<void> {
  const { id, advertiser, payoutMicros, payout_model = "CPC", ...limits } = offer;
  await db
    .insertInto("offer")
    .values({
      ...limits,
      id,
      advertiser_id: advertiser,
      brand: id,
      vertical: "games",
      title: id,
      description: "",
      cta_text: "",
      image_url: null,
      landing_url: "https://brand.example/",
      disclosure: "",
      terms: "",
      geo_json: '["*"]',
      payout_model,
      payout_micros: payoutMicros,
      currency: "EUR",
      premium: 0,
      status: "active",
      created_at: morning,
    })
    .execute();
}

/** A German visitor of website 1, in the morning, whom no other request knows. */
export function visitOf(request: string, differing: Partial<Visit> = {}): Visit {
  return {
    request,
    websiteId: 1,
    country: "DE",
    region: "",
    surface: "overlay",
    test: false,
    visitor: { today: `visitor-${request}`, yesterday: `former-${request}` },
    at: morning,
    ...differing,
  };
}

export function blocked(visit: Visit): BlockedEntry {
  return { kind: "blocked", visit, vertical: "news" };
}

/** Hands out offers at one price. */
export function served(
  visit: Visit,
  offers: readonly string[],
  terms: { micros?: number; model?: PayoutModel } = {},
): ServedEntry {
  return {
    kind: "served",
    visit,
    mark: null,
    offers: offers.map((offerId, index) => ({
      offerId: offerId as OfferId,
      vertical: "games",
      placement: "standard",
      position: index + 1,
      payoutModel: terms.model ?? "CPC",
      priceMicros: terms.micros ?? 1000,
    })),
  };
}

const seen = (visit: Visit, offerId: string, observed: readonly RefusalReason[]) => ({
  visit,
  offerId: offerId as OfferId,
  vertical: "games",
  placement: "standard" as const,
  position: 1,
  observed,
});

export function impression(
  visit: Visit,
  offerId: string,
  observed: readonly RefusalReason[] = [],
): ImpressionEntry {
  return { kind: "impression", ...seen(visit, offerId, observed), clientHints: null };
}

export function beacon(
  visit: Visit,
  offerId: string,
  observed: readonly RefusalReason[] = [],
): ClickBeaconEntry {
  return { kind: "click_beacon", ...seen(visit, offerId, observed) };
}

export function hop(visit: Visit, offerId: string, observed: readonly RefusalReason[] = []): ClickHopEntry {
  return {
    kind: "click_hop",
    ...seen(visit, offerId, observed),
    clickId: `click-${visit.request}`,
    mark: null,
  };
}
