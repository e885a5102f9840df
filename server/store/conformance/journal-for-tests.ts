import type { PayoutModel, RefusalReason } from "@offers/contract/words";
import type { Kysely } from "kysely";
import type {
  BlockedEntry,
  ClickBeaconEntry,
  ClickHopEntry,
  ImpressionEntry,
  Payer,
  ServedEntry,
  ServerEventEntry,
  Viewer,
  Visit,
} from "../../core/journal-entry.ts";
import { sampleOffer } from "../../core/sample-catalogue.ts";
import { dayNumber } from "../../core/utc-day.ts";
import { columnsOfMembers } from "../catalogue/offer-rows.ts";
import type { OfferTable, Schema } from "../schema.ts";

/** Ten in the morning of the day on which most tests play. */
export const morning = Date.UTC(2026, 4, 4, 10);

type OfferLimits = Partial<
  Pick<
    OfferTable,
    | "daily_budget_micros"
    | "total_budget_micros"
    | "daily_click_cap"
    | "total_click_cap"
    | "pacing"
    | "payout_model"
  >
>;

/** An advertiser with a deposit and its line in the ledger. */
export async function addAdvertiser(db: Kysely<Schema>, id: string, micros: number): Promise<void> {
  const { number } = await db
    .insertInto("advertiser")
    .values({ id, name: id, deposited_micros: micros, created_at: morning })
    .returning("number")
    .executeTakeFirstOrThrow();
  const at = { at: morning, day: dayNumber(morning) };
  await db
    .insertInto("ledger_line")
    .values({ ...at, kind: "deposit", advertiser: number, micros, currency: "EUR" })
    .execute();
}

/** An active offer, of which the number is returned: the first one of a database is 1. Without a model it is CPC. */
export async function addOffer(
  db: Kysely<Schema>,
  offer: { id: string; advertiser: string; payoutMicros: number } & OfferLimits,
): Promise<number> {
  const { id, advertiser, payoutMicros, payout_model = "CPC", ...limits } = offer;
  const landingUrl = "https://brand.example/";
  const sample = sampleOffer({ brand: id, vertical: "games", title: id, landingUrl });
  const { number } = await db
    .insertInto("offer")
    .values({
      ...columnsOfMembers(sample),
      id,
      advertiser_id: advertiser,
      payout_model,
      payout_micros: payoutMicros,
      created_at: morning,
      changed: 1,
      ...limits,
    })
    .returning("number")
    .executeTakeFirstOrThrow();
  return number;
}

/** A visitor, or none that may be named, in a network; yesterday they were called otherwise. */
export function payerOf(visitor: string | null, network: string): Payer {
  const named = (name: string) => ({ today: hashOf(name), yesterday: hashOf(`y${name}`) });
  return { visitors: visitor === null ? null : named(visitor), networks: named(`n${network}`) };
}

/** A request's key that a test can tell from others: the name, filled up to its 16 characters. */
export function requestOf(name: string): string {
  if (!/^[\w-]{1,16}$/.test(name)) throw new RangeError(`no name for a request: ${name}`);
  return name.padEnd(16, "_");
}

/** A visitor's hash, 22 characters of which the first ones are the name. */
export function hashOf(name: string): string {
  return `${name.slice(0, 21).padEnd(21, "_")}A`;
}

/** A German visitor of website 1, in the morning. */
export function visitOf(name: string, differing: Partial<Visit> = {}): Visit {
  return {
    request: requestOf(name),
    websiteId: 1,
    country: "DE",
    region: "",
    surface: "overlay",
    test: false,
    browser: null,
    device: 0,
    at: morning,
    ...differing,
  };
}

export function blocked(visit: Visit): BlockedEntry {
  return { kind: "blocked", visit, vertical: "news", rates: null };
}

/** Longer than it takes to read an offer: who clicks at the visit's own moment has read it. */
const readMs = 1000;

/** Hands out offers a second before the visit's moment, at one price, in euros unless told otherwise. */
export function served(
  visit: Visit,
  offers: readonly number[],
  terms: { micros?: number; model?: PayoutModel; currency?: string } = {},
): ServedEntry {
  return {
    kind: "served",
    visit: { ...visit, at: visit.at - readMs },
    mark: null,
    rates: 0,
    offers: offers.map((offer, index) => ({
      offer,
      vertical: "games",
      placement: "standard",
      position: index + 1,
      payoutModel: terms.model ?? "CPC",
      priceMicros: terms.micros ?? 1000,
      currency: terms.currency ?? "EUR",
    })),
  };
}

/** A server says that it has served an offer. */
export function reported(visit: Visit, offer: number): ServerEventEntry {
  return {
    kind: "server_event",
    type: "served",
    visit,
    offer: { offer, vertical: "games", payoutModel: "CPC", priceMicros: 1000, currency: "EUR" },
    observed: [],
    viewer: null,
    standsAlone: false,
    idempotency: null,
    receivedAt: visit.at,
  };
}

const seen = (visit: Visit, offer: number, observed: readonly RefusalReason[]) => ({
  visit,
  offer,
  vertical: "games",
  placement: "standard" as const,
  position: 1,
  observed,
});

export function impression(
  visit: Visit,
  offer: number,
  observed: readonly RefusalReason[] = [],
  viewer: Viewer | null = null,
): ImpressionEntry {
  return {
    ...{ kind: "impression", ...seen(visit, offer, observed), clientHints: null, viewer },
    isBilledByViews: false,
  };
}

export function beacon(
  visit: Visit,
  offer: number,
  observed: readonly RefusalReason[] = [],
): ClickBeaconEntry {
  return { kind: "click_beacon", ...seen(visit, offer, observed), isReported: false };
}

/** Without a payer it is somebody whom no other request knows. */
export function hop(
  visit: Visit,
  offer: number,
  observed: readonly RefusalReason[] = [],
  payer: Payer = payerOf(`${visit.request}${offer}`, `${visit.request}${offer}`),
): ClickHopEntry {
  const clickId = hashOf(`c${visit.request}`);
  return {
    kind: "click_hop",
    ...seen(visit, offer, observed),
    clickId,
    mark: null,
    payer,
    viewer: { visitor: payer.visitors?.today ?? null, network: null },
  };
}
