import type { SessionId } from "@offers/contract/ids";
import type { ApplicationType } from "@offers/contract/oauth";
import type {
  ActivityAction,
  ActivitySubject,
  EventMark,
  RefusalReason,
  Role,
  SecretCarrier,
  Surface,
  Theme,
} from "@offers/contract/words";
import type { Generated } from "kysely";
import type { Actor } from "../core/actor.ts";
import type { FactType } from "../core/fact.ts";
import type { FigureColumn } from "../core/figures.ts";
import type { OfferRow } from "../core/offer-columns.ts";
import type { BilledEvent } from "../core/price.ts";
import type { RefusedCall } from "../core/refused-call.ts";

/**
 * Booleans are 0 or 1, `…_json` columns hold JSON text. `at` and `…_at` are milliseconds since the epoch, `day` is a
 * UTC day as its number (utc-day.ts), and `changed` is the catalogue's version at which a row last changed. A request
 * is the 12 bytes of its key: time first, so that tables grow at their end.
 */
type Flag = 0 | 1;

export type PublisherTable = {
  /** Short enough to stand in the counters. */
  number: Generated<number>;
  id: string;
  name: string;
  public_key: string;
  /** What it earns of a price, 0 to 10000. */
  share_basis_points: Generated<number>;
  /** Whether its reports tell what advertisers pay. */
  shows_spend: Generated<Flag>;
  created_at: number;
  changed: number;
};

export type WebsiteTable = {
  id: Generated<number>;
  key: string;
  publisher_id: string;
  name: string;
  vertical: string;
  own_brand: string;
  development: Flag;
  paused: Generated<Flag>;
  origins_json: string;
  geo_rule_json: string;
  settings_json: string;
  allowlist_json: string;
  floor_micros: Generated<number>;
  floor_currency: Generated<string>;
  /** Null: its publisher's. */
  share_basis_points: number | null;
  secret_carrier: Generated<SecretCarrier>;
  /** When its publisher deleted it; its key and its number stay what events and counters name it by. */
  archived_at: Generated<number | null>;
  created_at: number;
  changed: number;
};

export type AdvertiserTable = {
  number: Generated<number>;
  id: string;
  name: string;
  /** All deposits and adjustments together; what is left is this less what `spend` says. */
  deposited_micros: number;
  created_at: number;
  /** Null: made before advertisers had one, and that of its first offer (catalogue/advertiser-rows.ts). */
  currency: string | null;
};

/** An offer's row. The columns of what an offer says of itself stand in a list of their own (offer-columns.ts). */
export type OfferTable = OfferRow & {
  /** From 1; what every fact names the offer by. */
  number: Generated<number>;
  id: string;
  advertiser_id: string;
  created_at: number;
  changed: number;
};

/** What was billed so far: one row for each thing that has a cap. */
export type SpendTable = {
  /** An offer's or an advertiser's id. */
  subject: string;
  /** The day of an offer's daily caps; 0 for the total. */
  day: number;
  spent_micros: number;
  billed_clicks: number;
};

/**
 * Append-only: every micro-unit that came in (positive), was billed, or was taken back (both negative). A line only ever loses
 * its request.
 */
export type LedgerLineTable = {
  id: Generated<number>;
  at: number;
  day: number;
  /** The first two are what the operator does; the other two are bills. */
  kind: "deposit" | "adjustment" | BilledEvent;
  /** The advertiser's number. */
  advertiser: number;
  /** The number of the offer that was billed; null for the operator's own lines, as what follows is. */
  offer: number | null;
  /** Null also for a bill whose fact is deleted: it stands among the closed ones then. */
  request: Uint8Array | null;
  micros: number;
  /** `""` where the advertiser's was not known yet. */
  currency: string;
  /** The website's number, and what its publisher earned by the share of that moment. */
  website: number | null;
  earned_micros: number | null;
};

/** What somebody wrote to a line of the ledger: to a deposit, if anything, and to each adjustment. */
export type LedgerNoteTable = {
  /** The advertiser's number. */
  advertiser: number;
  line: number;
  note: string;
};

/** What many facts have in common (cell.ts), each combination once. Nothing here is ever deleted. */
export type CellTable = {
  id: Generated<number>;
  website_id: number;
  country: string;
  region: string;
  vertical: string;
  surface: Surface;
  test: Flag;
  currency: string;
  /** The class of the visitor's device, a `deviceNumber`. */
  device: number;
};

/** Whatever happened on a website (fact.ts); the first four columns are the key. */
export type FactTable = {
  request: Uint8Array;
  offer: number;
  type: FactType;
  seq: number;
  /** Of an answer: that of its first offer, for each of its offers has its own in `offers`. */
  cell: number;
  at: number;
  /** Null: it counts. */
  reason: RefusalReason | null;
  /** Of an impression: its own reason, which a counted click on the offer has overruled. */
  overruled: RefusalReason | null;
  mark: EventMark | null;
  /** A `placementNumber`. */
  placement: number | null;
  position: number | null;
  /** Null: nothing was billed. */
  billed_micros: number | null;
  /** What the publisher earned of it; null like it. */
  earned_micros: number | null;
  /** How long after `at` the browser reported it, in ms; null for an impression that only a click implies. */
  beacon_after: number | null;
  /** Of a click: how long after `at` its hop was followed, in ms. */
  hop_after: number | null;
  /** Of a click: the 16 bytes that the advertiser knows it by. */
  click_id: Uint8Array | null;
  /** Of an impression: its client hints as a JSON array. */
  hints: string | null;
  /** Of an answer, and of a decision that came with an offer: `packOffers`. */
  offers: Uint8Array | null;
  /** The family of the browser that it came from (browser-family.ts). */
  browser: number | null;
  /** Of an answer, and of a decision that came with an offer: the version of the rates that ranked them. */
  rates: number | null;
  /** Of a decision that blocked, and of an answer: the version of the catalogue that it went by. */
  catalogue: number | null;
  /** Of a decision that blocked, and of an answer: what had located the visitor (geo-source.ts). */
  geo_source: number | null;
  /** Foreseen, and null. */
  drawn_at: number | null;
};

/** How many events of a place (fact.ts) were refused and have no fact: those above a limit, and endless repetitions. */
export type UnkeptEventTable = {
  cell: number;
  hour: number;
  offer: number;
  placement: number;
  events: number;
};

/** Of which visitor (the hash's 16 bytes) a click on an offer was billed: what the next one is compared with. */
export type BilledClickTable = { visitor: Uint8Array; offer: number; at: number };

/** How many clicks of a network on an offer (one hash of both) were billed in the minute that begins at `at`. */
export type BilledNetworkTable = {
  /** The first millisecond of the minute's UTC day; the hash is made under its salt. */
  day: number;
  network: Uint8Array;
  at: number;
  clicks: number;
  /** How many of the clicks came from visitors of whom no hash may be made. */
  unnamed: number;
};

/** How many views of an offer by one viewer (a visitor's hash, or a network's) were billed in that minute. */
export type BilledViewTable = {
  /** The minute's hour, by its first millisecond. */
  hour: number;
  viewer: Uint8Array;
  offer: number;
  at: number;
  views: number;
  /** Of a network: those of visitors of whom no hash may be made. */
  unnamed: number;
};

type Figures = Record<FigureColumn, number>;

/**
 * The sums that the usual reports read. With what waits to be added to them they are what the facts, and what is kept of
 * deleted ones, add up to, in every transaction.
 */
export type CounterTable = Figures & {
  website_id: number;
  day: number;
  country: string;
  vertical: string;
  surface: Surface;
  test: Flag;
  currency: string;
};

/** The same over the countries, */
export type CounterDayTable = Figures &
  Pick<CounterTable, "website_id" | "day" | "vertical" | "surface" | "test" | "currency">;

/** and over the websites of a publisher. */
export type CounterPublisherTable = Figures &
  Pick<CounterTable, "day" | "country" | "vertical" | "surface" | "test" | "currency"> & {
    /** The publisher's number; 0 for a website that the catalogue does not know. */
    publisher: number;
  };

/** The same by hour, offer, placement, region and device: the lines (detail-lines.ts) of an hour of a website. */
export type DetailTable = {
  website_id: number;
  /** As `hourNumber`. */
  hour: number;
  lines: Uint8Array;
};

/**
 * What facts that are deleted had added to the lines of an hour: those of `detail` are what these and the facts that are
 * left add up to.
 */
export type ClosedDetailTable = DetailTable;

/** And what they had billed: what the lines of the ledger that name no request add up to. */
export type ClosedBillTable = {
  cell: number;
  day: number;
  /** The offer's number. */
  offer: number;
  type: FactType;
  events: number;
  billed_micros: number;
  earned_micros: number;
};

/**
 * What a batch adds to the lines of an hour, of whichever websites, as long as it waits. In a file the counters wait with them;
 * on PostgreSQL a batch adds to the counters itself.
 */
export type DetailDeltaTable = {
  /** How many lines were appended, with these; below 0: sorted, to be settled next (core/detail-portions.ts). */
  number: number;
  hour: number;
  lines: Uint8Array;
};

/** The keys of the counter tables in the order of their columns: a new dimension is a name here and a migration. */
export const counterKeys = {
  counter: ["website_id", "day", "country", "vertical", "surface", "test", "currency"],
  counter_day: ["website_id", "day", "vertical", "surface", "test", "currency"],
  counter_publisher: ["publisher", "day", "country", "vertical", "surface", "test", "currency"],
} as const satisfies {
  counter: readonly (keyof CounterTable)[];
  counter_day: readonly (keyof CounterDayTable)[];
  counter_publisher: readonly (keyof CounterPublisherTable)[];
};

export type SnippetPingTable = {
  website_id: number;
  host: string;
  script_version: string;
  /** Start of the UTC hour in milliseconds. */
  hour: number;
  surface: Surface;
  url: string;
  last_at: number;
  /** How often a page has loaded the tag in that hour; 1 for hours of before that was counted. */
  loads: Generated<number>;
};

/** Calls that were refused, hour by hour: what tells a publisher why nothing is shown, and why its keys are turned away. */
export type TroubleTable = {
  subject: RefusedCall["subject"];
  /** Start of the UTC hour in milliseconds. */
  hour: number;
  code: RefusedCall["code"];
  detail: string;
  times: number;
  last_at: number;
};

/** Which visitors (the hash's 16 bytes) are not to be shown the overlay again on a day. */
export type DismissalTable = {
  /** From 1, and never used twice: what is new since the last look is found by it. */
  number: Generated<number>;
  /** The first millisecond of the UTC day; the hash is made under its salt. */
  day: number;
  visitor: Uint8Array;
};

export type VisitorSaltTable = { day: number; salt: string };

export type ApiKeyTable = {
  id: string;
  publisher_id: string;
  /** Null: it is good for every website of the publisher. */
  website_id: number | null;
  /** SHA-256 as base64url, like every hash of a credential. */
  hash: string;
  last_four: string;
  scopes_json: string;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
  /** To the minute. */
  last_used_at: number | null;
  changed: number;
  /** `""`: it was given none. */
  name: string;
  /** The name of who made it; null: not noted. */
  made_by: string | null;
  /** Null: nobody's account, or not noted. */
  made_by_user: number | null;
};

/** A partner's application. */
export type OauthClientTable = {
  id: string;
  name: string;
  application_type: ApplicationType;
  /** Null: it has no secret, for it could not keep one. */
  secret_hash: string | null;
  redirect_uris_json: string;
  scopes_json: string;
  created_at: number;
  revoked_at: number | null;
  changed: number;
};

/** What a person has allowed a partner to do for one publisher. */
export type OauthGrantTable = {
  id: string;
  client_id: string;
  user_id: number;
  publisher_id: string;
  scopes_json: string;
  at: number;
  /** To the minute. */
  last_used_at: number | null;
  revoked_at: number | null;
  changed: number;
};

/** A code, a token, a consent under way: what its holder presents is kept as a hash. */
export type OauthRowTable = {
  model: string;
  id_hash: string;
  payload_json: string;
  /** Null: it belongs to no connection yet. */
  grant_id: string | null;
  expires_at: number;
  consumed_at: number | null;
};

export type IntegrationSecretTable = {
  id: string;
  website_id: number;
  hash: string;
  last_four: string;
  created_at: number;
  revoked_at: number | null;
  changed: number;
};

/** Answers that are repeated for 24 hours to whoever repeats the request. */
export type KeptAnswerTable = {
  /** The publisher's id and the route. */
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
  request: Uint8Array;
  country: string;
  region: string;
  test: Flag;
  visitor: string | null;
  /** The name of the network that opened it, which nothing on the disk turns back; null once it is triggered. */
  opener: Uint8Array | null;
  created_at: number;
  expires_at: number;
  /** Null: not triggered. From then on the row does not change. */
  ready_at: number | null;
  /** Null: the trigger's own word is not kept (decisions.md#first-trigger-decides). */
  reason: null;
  /** A `Suppression`; null: nothing. */
  suppression_json: string | null;
  /** As a fact's, at the opening. */
  catalogue: number | null;
  geo_source: number | null;
  device: number;
};

/** How many rows `decline_session` has: kept by the database itself, whoever writes or deletes them. */
export type DeclineKeptTable = {
  /** 0: of all websites together. */
  website_id: number;
  sessions: number;
};

/** What click rates are made of: counted views and followed clicks of live traffic, by offer, country and place. */
export type RateCountTable = {
  /** The offer's number. */
  offer: number;
  country: string;
  /** A `placementNumber`. */
  placement: number;
  impressions: number;
  clicks: number;
  /** What these impressions weigh more than as many on a usual website, in thousandths of one; below 0: less. */
  surplus_milli: Generated<number>;
  /** The version of the rates at which the row last changed. */
  changed: number;
};

/** What was clicked on a website's surface of those offers whose rates are known, beside what these rates had expected. */
export type WebsiteRateTable = {
  website_id: number;
  surface: Surface;
  clicks: number;
  /** In millionths of a click. */
  expected_millionths: number;
  /** As of a `rate_count`. */
  changed: number;
};

/** One row. It grows with each batch that changes a `rate_count` or a `website_rate`. */
export type RateVersionTable = { version: number };

/** What one unit of a currency is worth beside others; null: nothing any more. */
export type CurrencyRateTable = { currency: string; rate: number | null; changed: number };

export type UserTable = {
  id: Generated<number>;
  /** In lower case. */
  email: string;
  name: string;
  /** By argon2id, in the form of the PHC; null: no password was chosen yet. */
  password_hash: string | null;
  is_operator: Generated<Flag>;
  theme: Generated<Theme>;
  created_at: number;
  disabled_at: number | null;
};

/** Who works for which publisher. */
export type MemberTable = { user_id: number; publisher_id: string; role: Role; created_at: number };

export type SessionTable = {
  id: Generated<number>;
  /** SHA-256 of what the browser's cookie holds. */
  hash: string;
  user_id: number;
  /** The browser's family, for the list of sessions. */
  agent: string;
  created_at: number;
  /** To the minute. */
  seen_at: number;
  /** When the password was last given. */
  signed_in_at: number;
  expires_at: number;
};

/** A link that lets somebody in once; deleted when it is used. */
export type SignInLinkTable = {
  id: Generated<number>;
  /** SHA-256 of what the link holds. */
  hash: string;
  /** `set_up`: the first user of all. `invitation`: to a publisher's team. `password`: to choose one. `sign_in`: no more is asked. */
  kind: "set_up" | "invitation" | "password" | "sign_in";
  /** Null: whoever comes first says it. */
  email: string | null;
  publisher_id: string | null;
  role: Role | null;
  is_operator: Generated<Flag>;
  made_by: string;
  /** Null: nobody's account, or a link of before this was kept. */
  made_by_user: number | null;
  created_at: number;
  expires_at: number;
};

/** How a command of the operator's ended when it was run last. */
export type RunNoteTable = { kind: "backup" | "recount" | "audit"; at: number; is_good: Flag; says: string };

export type CatalogueVersionTable = { id: 1; version: number };

/** Who changed what, when: written with each change of the catalogue, in its transaction. */
export type ActivityTable = {
  id: Generated<number>;
  at: number;
  /** The version of the catalogue that the change made: the `changed` of the rows that it wrote. */
  version: number;
  actor_kind: Actor["kind"];
  /** What actors of one kind are told apart by: a user's number, or else the name. */
  actor_id: string;
  /** As it was then. */
  actor_name: string;
  /** Null: the operator's matter alone. */
  publisher_id: string | null;
  subject_kind: ActivitySubject;
  subject_id: string;
  /** As it was known afterwards. */
  subject_name: string;
  action: ActivityAction;
  /** The members that changed, as they were; null: it was not there. */
  before_json: string | null;
  /** And as they are since. */
  after_json: string | null;
};

/** What the last look at a page of a website has found. */
export type PageCheckTable = {
  website_key: string;
  url: string;
  findings_json: string;
  at: number;
};

/** A file that the tag's first one fetches, of this release or of one that it has replaced. */
export type ChunkTable = {
  /** Made of what is in it. */
  name: string;
  /** Gzipped. */
  script: Uint8Array;
  /** Null: of the release that started last. */
  replaced_at: number | null;
};

export type Schema = {
  activity: ActivityTable;
  publisher: PublisherTable;
  website: WebsiteTable;
  advertiser: AdvertiserTable;
  offer: OfferTable;
  api_key: ApiKeyTable;
  integration_secret: IntegrationSecretTable;
  oauth_client: OauthClientTable;
  oauth_grant: OauthGrantTable;
  oauth_row: OauthRowTable;
  catalogue_version: CatalogueVersionTable;
  rate_count: RateCountTable;
  website_rate: WebsiteRateTable;
  rate_version: RateVersionTable;
  currency_rate: CurrencyRateTable;
  spend: SpendTable;
  ledger_line: LedgerLineTable;
  ledger_note: LedgerNoteTable;
  cell: CellTable;
  fact: FactTable;
  unkept_event: UnkeptEventTable;
  closed_detail: ClosedDetailTable;
  closed_bill: ClosedBillTable;
  billed_click: BilledClickTable;
  billed_network: BilledNetworkTable;
  billed_view: BilledViewTable;
  counter: CounterTable;
  counter_day: CounterDayTable;
  counter_publisher: CounterPublisherTable;
  detail: DetailTable;
  detail_delta: DetailDeltaTable;
  snippet_ping: SnippetPingTable;
  trouble: TroubleTable;
  dismissal: DismissalTable;
  visitor_salt: VisitorSaltTable;
  kept_answer: KeptAnswerTable;
  decline_session: DeclineSessionTable;
  decline_kept: DeclineKeptTable;
  user: UserTable;
  member: MemberTable;
  session: SessionTable;
  sign_in_link: SignInLinkTable;
  run_note: RunNoteTable;
  page_check: PageCheckTable;
  chunk: ChunkTable;
};
