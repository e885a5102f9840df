import type { EventId, SessionId } from "@offers/contract/ids";
import type { PayoutModel, Placement, RefusalReason, Surface } from "@offers/contract/words";
import type { Generated } from "kysely";
import type { Mark } from "../core/journal-entry.ts";

/** Booleans are 0 or 1, `…_json` columns hold JSON text, `at` is milliseconds since the epoch, `day` is a UTC date. */
type Flag = 0 | 1;

export type PublisherTable = { id: string; name: string; public_key: string; created_at: number };

export type WebsiteTable = {
  id: Generated<number>;
  key: string;
  publisher_id: string;
  name: string;
  vertical: string;
  own_brand: string;
  development: Flag;
  origins_json: string;
  geo_rule_json: string;
  settings_json: string;
  allowlist_json: string;
  created_at: number;
};

export type AdvertiserTable = {
  id: string;
  name: string;
  /** Everything ever paid in; what is left is this less what `spend` says. */
  deposited_micros: number;
  created_at: number;
};

export type OfferTable = {
  id: string;
  advertiser_id: string;
  brand: string;
  vertical: string;
  title: string;
  description: string;
  cta_text: string;
  image_url: string | null;
  landing_url: string;
  disclosure: string;
  terms: string;
  geo_json: string;
  payout_model: PayoutModel;
  payout_micros: number;
  currency: string;
  premium: Flag;
  status: "active" | "paused";
  daily_budget_micros: number | null;
  total_budget_micros: number | null;
  daily_click_cap: number | null;
  total_click_cap: number | null;
  created_at: number;
};

/** What was billed so far: one row for each thing that has a cap. */
export type SpendTable = {
  /** An offer's or an advertiser's id. */
  subject: string;
  /** A UTC date for an offer's daily caps, `""` for the total. */
  day: string;
  spent_micros: number;
  billed_clicks: number;
};

export type EventType = "blocked" | "served" | "impression" | "click";

export type EventTable = {
  id: EventId;
  type: EventType;
  request: string;
  /** 1 for the one event of its (request, offer, type), null for every repetition of it. */
  first: 1 | null;
  website_id: number;
  /** `""` for a blocked visit. */
  offer_id: string;
  vertical: string;
  country: string;
  region: string;
  surface: Surface;
  placement: Placement | null;
  position: number | null;
  day: string;
  at: number;
  /** Null: it counts. */
  reason: RefusalReason | null;
  /** Of an impression: its own reason, which a counted click on the offer has overruled. */
  overruled: RefusalReason | null;
  mark: Mark | null;
  test: Flag;
  visitor: string | null;
  /** Of a served event: what its billable event will cost, and under which model. */
  price_micros: number | null;
  payout_model: PayoutModel | null;
  /** Null: nothing was billed. */
  billed_micros: number | null;
  click_id: string | null;
  /** When the browser reported it; null for an impression that only a click implies. */
  beacon_at: number | null;
  /** Of a click: when its hop was followed. */
  hop_at: number | null;
  hints_json: string | null;
};

/** Append-only: every micro-unit that came in (positive) or was billed (negative). */
export type LedgerLineTable = {
  id: Generated<number>;
  at: number;
  day: string;
  kind: "deposit" | "click" | "impression";
  advertiser_id: string;
  offer_id: string | null;
  event_id: string | null;
  micros: number;
};

export type CounterFigures = {
  blocked: number;
  served: number;
  impressions: number;
  clicks: number;
  billable_clicks: number;
  spend_micros: number;
  /** Events of any type that are stored with a reason. */
  filtered: number;
};

/** The cells of every report, kept with the events in one transaction. */
export type CounterTable = CounterFigures & {
  day: string;
  website_id: number;
  country: string;
  vertical: string;
  surface: Surface;
  test: Flag;
};

/** Sums of `counter` that its triggers keep: over the countries, */
export type CounterDayTable = Omit<CounterTable, "country">;

/** and over the days of a month (`YYYY-MM`). */
export type CounterMonthTable = Omit<CounterTable, "day"> & { month: string };

export type SnippetPingTable = {
  website_id: number;
  host: string;
  script_version: string;
  /** Start of the UTC hour in milliseconds. */
  hour: number;
  surface: Surface;
  url: string;
  last_at: number;
};

export type VisitorSaltTable = { day: string; salt: string };

export type ApiKeyTable = {
  id: string;
  publisher_id: string;
  /** SHA-256 as base64url, like every hash of a credential. */
  hash: string;
  last_four: string;
  scopes_json: string;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
  /** To the minute. */
  last_used_at: number | null;
};

export type IntegrationSecretTable = {
  id: string;
  website_id: number;
  hash: string;
  last_four: string;
  created_at: number;
  revoked_at: number | null;
};

/** Answers that are repeated for 24 hours to whoever repeats the request. */
export type IdempotencyTable = {
  /** The API key's id and the route. */
  scope: string;
  key: string;
  fingerprint: string;
  answer_json: string;
  at: number;
};

export type DeclineSessionTable = {
  number: Generated<number>;
  id: SessionId;
  website_id: number;
  origin: string;
  /** Of the visit that becomes of it. */
  request: string;
  country: string;
  region: string;
  test: Flag;
  visitor: string | null;
  created_at: number;
  expires_at: number;
  /** Null: not triggered. From then on the row does not change. */
  ready_at: number | null;
  /** The trigger's own word. */
  reason: string | null;
  /** A `Suppression`; null: nothing. */
  suppression_json: string | null;
};

export type CatalogueVersionTable = { id: 1; version: number };

export type Schema = {
  publisher: PublisherTable;
  website: WebsiteTable;
  advertiser: AdvertiserTable;
  offer: OfferTable;
  spend: SpendTable;
  event: EventTable;
  ledger_line: LedgerLineTable;
  counter: CounterTable;
  counter_day: CounterDayTable;
  counter_month: CounterMonthTable;
  snippet_ping: SnippetPingTable;
  visitor_salt: VisitorSaltTable;
  catalogue_version: CatalogueVersionTable;
  api_key: ApiKeyTable;
  integration_secret: IntegrationSecretTable;
  idempotency: IdempotencyTable;
  decline_session: DeclineSessionTable;
};
