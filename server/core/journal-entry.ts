import type { ClientHints } from "@offers/contract/events";
import type { EventId, SessionId } from "@offers/contract/ids";
import type { EventMark, PayoutModel, Placement, RefusalReason, Surface } from "@offers/contract/words";
import type { Cell } from "./cell.ts";
import type { DeclineSession } from "./decline-session.ts";
import type { DecidedBy } from "./geo-source.ts";
import type { RefusedCall } from "./refused-call.ts";
import type { Suppression } from "./suppression.ts";

/** A hash under the salt of the UTC day and under that of the day before. */
export type DayHashes = { today: string; yesterday: string };

/** By which hashes the billed clicks of an offer are limited. */
export type Payer = {
  /** The visitor's hash; null when none may be made. */
  visitors: DayHashes | null;
  /** The hash of the visitor's network and the offer. */
  networks: DayHashes;
};

/** By which hashes the billed views of an offer are limited. */
export type Viewer = {
  /** The visitor's hash at the decision; null when none may be made. */
  visitor: string | null;
  /** The hash of their network and the offer; null: not known. */
  network: string | null;
};

/** What every recorded fact of one request shares. */
export type Visit = {
  /** The request's key (request-key.ts): 16 characters, unique, the beginning of the keys of all its events. */
  request: string;
  websiteId: number;
  /** As located at the decision. */
  country: string;
  region: string;
  surface: Surface;
  /** Kept, but in no live figure and never billed. */
  test: boolean;
  /** The family of the browser that made the call (browser-family.ts); null: not known, or a server's call. */
  browser: number | null;
  /** The class of the visitor's device, a `deviceNumber`. */
  device: number;
  /** Milliseconds since the epoch at which the service received it. */
  at: number;
};

/** An offer as it is handed out: its price is fixed here, for the whole life of the request. */
export type HandedOut = {
  /** The offer's number in the catalogue. */
  offer: number;
  vertical: string;
  placement: Placement;
  position: number;
  payoutModel: PayoutModel;
  /** The price of its billable event in whole micro-units: CPC one click, CPM one impression, else 0. */
  priceMicros: number;
  /** Of the price, ISO 4217. */
  currency: string;
};

export type BlockedEntry = {
  kind: "blocked";
  visit: Visit;
  vertical: string;
  /** The offer that a server's decision came with: its link works, and its price stands, without a served event. */
  offer?: HandedOut;
  /** As a served answer's; null without an offer. */
  rates: number | null;
  /** Absent: not known. */
  decidedBy?: DecidedBy;
  /** Reasons against the visit; absent: none. */
  observed?: readonly RefusalReason[];
  /** The journal itself comes with it once more, and cannot tell whether it was committed before. */
  isAgain?: true;
};

export type ServedEntry = {
  kind: "served";
  visit: Visit;
  offers: readonly HandedOut[];
  mark: EventMark | null;
  /** The version of the click rates that the offers were ranked by. */
  rates: number;
  /** The version of the catalogue that they were chosen from; absent: not known. */
  catalogue?: number;
  /** Of the visit's decision; absent: not known. */
  decidedBy?: DecidedBy;
  /** As of a blocked visit. */
  observed?: readonly RefusalReason[];
};

/** A server got links of these offers for a visit, to show some of them. */
export type NotedEntry = Pick<
  ServedEntry,
  "visit" | "offers" | "rates" | "catalogue" | "decidedBy" | "observed"
> & {
  kind: "noted";
};

/** A page says that it has drawn these offers, by their numbers in the catalogue. */
export type DrawnEntry = { kind: "drawn"; visit: Visit; offers: readonly number[] };

type OfferSeen = {
  visit: Visit;
  /** The offer's number in the catalogue; 0: the catalogue does not know the offer that the client named. */
  offer: number;
  /** Used when the offer was not served under the request; else what the served answer says stands. */
  vertical: string;
  placement: Placement | null;
  position: number | null;
  /** Reasons against it that the edge saw; the store adds what only it can know. */
  observed: readonly RefusalReason[];
};

export type ImpressionEntry = OfferSeen & {
  kind: "impression";
  clientHints: ClientHints | null;
  /** By what billed views are limited; null: not at all. */
  viewer: Viewer | null;
  /** Whether the offer is billed by its views as the catalogue stands now; what the view costs stands where it was handed out. */
  isBilledByViews: boolean;
};

/** The beacon beside the link: an attempt, it never touches money. */
export type ClickBeaconEntry = OfferSeen & {
  kind: "click_beacon";
  /** A publisher's server says so: when the visitor clicked, and in which browser, is not known then. */
  isReported: boolean;
};

/** The hop itself: the only thing that bills a click. */
export type ClickHopEntry = OfferSeen & {
  kind: "click_hop";
  /** 128 bits as 22 characters of base64url. */
  clickId: string;
  mark: EventMark | null;
  payer: Payer;
  /** As an impression's: the click may imply one that is billed. */
  viewer: Viewer | null;
};

/** A visitor is not to be shown the overlay again on this day. */
export type DismissedEntry = {
  kind: "dismissed";
  /** The hash at the decision, which holds the website. */
  visitor: string;
  /** Milliseconds since the epoch of that decision: the hash is one of its UTC day. */
  at: number;
};

export type SnippetPingEntry = {
  kind: "snippet_ping";
  websiteId: number;
  host: string;
  url: string;
  scriptVersion: string;
  surface: Surface;
  at: number;
};

/** An event that a publisher's server reports, with what makes its repetition the same event. */
export type ServerEventEntry = {
  kind: "server_event";
  type: "served" | "impression" | "click";
  /** `at` is when it happened, as the server says. */
  visit: Visit;
  /** With the price of this moment, which a served event fixes unless the decision has. */
  offer: Pick<HandedOut, "offer" | "vertical" | "payoutModel" | "priceMicros" | "currency">;
  observed: readonly RefusalReason[];
  /** As an impression's; null also of a visitor whom the server did not name. */
  viewer: Viewer | null;
  /** It names no decision: it is nobody's repetition, needs no served event, and is never billed. */
  standsAlone: boolean;
  /** `scope`: `eventScope`. `isTooOld`: for a new event, so that it is answered as a repetition or not at all. */
  idempotency: { scope: string; key: string; fingerprint: string; isTooOld: boolean } | null;
  /** Milliseconds since the epoch at which the service received it. */
  receivedAt: number;
};

/** A page has opened a decline session. */
export type DeclineOpenedEntry = {
  kind: "decline_opened";
  session: Omit<DeclineSession, "readyAt" | "suppression">;
  /** The name of the network that it was opened from, 16 characters of base64url; kept until the session is triggered. */
  opener: string;
};

/** A website's server declines a visitor: that is when the visit is blocked, on the website's own vertical. */
export type DeclineTriggeredEntry = {
  kind: "decline_triggered";
  sessionId: SessionId;
  /** Whose secret it came with. */
  websiteId: number;
  vertical: string;
  /** What the trigger's reason and its verticals come to; the reason itself is not kept. */
  suppression: Suppression | null;
  /** Of a paused website nobody is counted as blocked. */
  isPaused?: boolean;
  /** Milliseconds since the epoch at which the service received it: whether that was in time is judged by it. */
  at: number;
};

/** So many clicks on one offer, in one cell and place, came above the hop's limit; they have no fact of their own, and count as filtered. */
export type ClicksRefusedEntry = RefusedClick & { kind: "clicks_refused"; at: number; clicks: number };

/** What is known of a click that is refused at once. */
export type RefusedClick = { cell: Cell; offer: number; placement: Placement | null };

/** So many calls of a website's pages, or with an API key, were refused alike, the last of them at `at`. */
export type CallsRefusedEntry = RefusedCall & { kind: "calls_refused"; at: number; calls: number };

/** An API key was used: known to the minute. */
export type KeyUsedEntry = { kind: "key_used"; keyId: string; at: number };

/** A partner's connection was used: known to the minute. */
export type GrantUsedEntry = { kind: "grant_used"; grantId: string; at: number };

export type JournalEntry =
  | BlockedEntry
  | ServedEntry
  | NotedEntry
  | DrawnEntry
  | ImpressionEntry
  | ClickBeaconEntry
  | ClickHopEntry
  | ClicksRefusedEntry
  | DismissedEntry
  | SnippetPingEntry
  | ServerEventEntry
  | DeclineOpenedEntry
  | DeclineTriggeredEntry
  | CallsRefusedEntry
  | KeyUsedEntry
  | GrantUsedEntry;

export type SessionOutcome = "pending" | "ready" | "expired" | "unknown" | "too_many";

/** What became of an entry, once it is committed. */
export type JournalOutcome = {
  /** Null for a ping, and for a served answer, which writes several events. */
  eventId: EventId | null;
  /** Why it does not count; null when it does. */
  refusal: RefusalReason | null;
  /** What it cost the advertiser; null when nothing was billed. */
  billedMicros: number | null;
  /**
   * Under its idempotency key there was an answer already, this one or that of another body; or there was none, and it is
   * too old to be recorded now. Else absent.
   */
  idempotency?: "repeated" | "mismatch" | "too_old";
  /** It added no event: it was passed over, or it completes one that was there and is told. Else absent. */
  addsNothing?: true;
  /** Of a click: an impression that nobody had reported counts with it. Else absent. */
  impliesImpression?: true;
  /** Of a decline session alone: what has become of it, or that so many are kept that it was not opened. */
  session?: SessionOutcome;
};
