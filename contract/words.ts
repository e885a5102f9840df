/**
 * Every list of words of the wire contract as plain constants, free of zod,
 * so that the browser bundle can import them at no cost.
 */

/** What the key-authenticated decision answers. */
export const decisions = ["serve_overlay", "pass_through"] as const;

/** Why a visitor is on the monetization path. */
export const blockReasons = [
  "country_not_allowed",
  "region_not_allowed",
  "country_blocked",
  "region_blocked",
  "location_unknown",
] as const;
export type BlockReason = (typeof blockReasons)[number];

/** Why an offers answer holds no offer. */
export const emptyReasons = [
  "visitor_allowed",
  "allowlist_empty",
  "no_offer_for_location",
  "budgets_exhausted",
  "suppressed",
  "no_offer_for_visit",
] as const;
export type EmptyReason = (typeof emptyReasons)[number];

/**
 * Why an offer is not shown to a visit, in the order in which the rules are applied: an offer is removed by the first one.
 * An answer without offers is explained by the same words (`emptyReasons`), and an event that does not count by the
 * others (`refusalReasons`); the last two are of the ranking alone.
 */
export const removalReasons = [
  "visitor_allowed",
  "allowlist_empty",
  "paused",
  "no_offer_for_location",
  "not_offered",
  "not_permitted",
  "not_running",
  "not_for_visitor",
  "budgets_exhausted",
  "not_its_turn",
  "no_offer_for_visit",
  "suppressed",
  "brand_shown",
  "less_promising",
] as const;
export type RemovalReason = (typeof removalReasons)[number];

/** Where in the response, and so on the screen, an offer stands. */
export const placements = ["premium", "standard", "section"] as const;
export type Placement = (typeof placements)[number];

/** Which part of the page shows the offers. */
export const surfaces = ["overlay", "section", "decline"] as const;
export type Surface = (typeof surfaces)[number];

/** What a report can be filtered by; `snippet-ping` is health, not traffic. */
export const countedTypes = ["blocked", "served", "impression", "click", "drawn"] as const;
export type CountedType = (typeof countedTypes)[number];

/** What an advertiser pays for. CPM is per thousand impressions, the others per single event. */
export const payoutModels = ["CPC", "CPM", "CPA", "CPL", "REVSHARE"] as const;
export type PayoutModel = (typeof payoutModels)[number];

/**
 * Of how many clicks a conversion is expected, in hundredths of a per cent, for each model that conversions are paid by: what an
 * offer is ranked by that says nothing else. Conversions are not recorded, so these stay assumptions.
 */
export const assumedConversionBasisPoints = { CPA: 200, CPL: 500, REVSHARE: 200 } as const;

/** How an offer's day budget is spent: as visitors come, or evenly over the UTC day. */
export const pacings = ["asap", "even"] as const;

export const weekDays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
export type WeekDay = (typeof weekDays)[number];

/** What an offer can be meant for. */
export const deviceClasses = ["phone", "tablet", "desktop"] as const;
export type DeviceClass = (typeof deviceClasses)[number];

/**
 * Why a stored event does not count, in the order in which the reasons are checked:
 * an event carries the first one that applies. Never sent to a browser. Which rule finds which stands in docs/guide.md.
 */
export const refusalReasons = [
  "expired",
  "search_engine",
  "bot",
  "empty_user_agent",
  "not_navigated",
  "internal_address",
  "datacenter",
  "rate",
  "geo_mismatch",
  "user_agent_mismatch",
  "fast_click",
  "duplicate",
  "not_served",
  "not_permitted",
  "paused",
  "budget_exhausted",
] as const;
export type RefusalReason = (typeof refusalReasons)[number];

/** What is worth knowing of an event and decides nothing: a click's `Referer` need not be there, or be true. */
export const eventMarks = ["geo_mismatch", "unregistered_referrer"] as const;
export type EventMark = (typeof eventMarks)[number];

/** The kinds of networks that the service has lists of; no visitor sits in them. The words are those of the refusal reasons. */
export const knownNetworks = ["datacenter", "search_engine"] as const satisfies readonly RefusalReason[];
export type KnownNetwork = (typeof knownNetworks)[number];

/** Which line of a website's settings decided about a visitor; `explainAnswer` says each, as it does of the list below. */
export const ruleLines = ["entry", "mode", "unknown_location", "paused", "declined"] as const;
export type RuleLine = (typeof ruleLines)[number];

/** How a visitor was located. */
export const geoBases = ["address", "hint", "simulated", "none"] as const;
export type GeoBasis = (typeof geoBases)[number];

export const geoModes = ["allowlist", "blocklist"] as const;
export type GeoMode = (typeof geoModes)[number];

/** Where a call of a website's own server carries its integration secret: in any of the three, or in one alone. */
export const secretCarriers = ["any", "authorization", "x_integration_secret", "body"] as const;
export type SecretCarrier = (typeof secretCarriers)[number];

export const unknownLocationRules = ["allow", "block"] as const;

export const allowlistModes = ["allowlist", "all"] as const;

export const themes = ["auto", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

/** When the overlay opens; `websiteSettings` says each, as it does of the two lists of the overlay below. */
export const triggers = ["immediate", "pause", "scroll", "exit", "click", "manual"] as const;
export type Trigger = (typeof triggers)[number];

/** When a visitor whom the overlay was shown to gets it again. */
export const frequencies = ["page", "closed", "day"] as const;
export type Frequency = (typeof frequencies)[number];

/** Why the overlay of a blocked visitor is not to open by itself. */
export const hiddenReasons = ["closed_today", "shown_today"] as const;
export type HiddenReason = (typeof hiddenReasons)[number];

/** Where the overlay stands. */
export const overlayPlacements = ["center", "bottom"] as const;

/** Whether what is drawn has a font of its own, the system's, or the page's. */
export const fonts = ["own", "inherit"] as const;

/** The languages that the widget has words in, as ISO 639-1 codes. */
export const widgetLanguages = ["en", "ar", "de", "es", "fr", "it", "ja", "nl", "pl", "pt"] as const;

/** What an offer says in words, and may say in several languages. */
export const offerTexts = ["title", "description", "ctaText", "disclosure", "terms"] as const;
export type OfferText = (typeof offerTexts)[number];

/** The country of a visitor whose address is in no data: ISO 3166-1 reserves ZZ for private use. */
export const unknownCountry = "ZZ";

/** How many offers an embed answer holds. */
export const offerSlots = { premium: 1, standard: 6, standardMost: 20 } as const;

/** Lifetimes of a requestId in seconds: to fetch offers, and to report events and click. */
export const requestLifetimes = { offersSeconds: 30 * 60, eventsSeconds: 24 * 60 * 60 } as const;

/** How long an answer to a reported event is kept for its repetitions under an Idempotency-Key, in seconds. */
export const idempotencySeconds = 24 * 60 * 60;

/** So many characters of a user agent count: longer ones are no browser's. */
export const longestUserAgent = 512;

/** How many days a report has, the first and the last included, when it is not told and at the most. */
export const reportDays = { usual: 30, most: 366 } as const;

/** How many rows a report may have, those of each currency of a place counted: some 50 MB of JSON. */
export const reportRowsMost = 200_000;

/** For how long it is kept who changed what: so many days are thirteen months at the least, whichever they are. */
export const activityKept = { months: 13, days: 397 } as const;

/** How long the link to a preview is good, in seconds: long enough to look at every language, and to fill a form in beside it. */
export const previewSeconds = 10 * 60;

/** How many characters somebody's new password has. */
export const passwordLength = { least: 10, most: 256 } as const;

/** How many characters the names of people and of API keys have at the most. */
export const longestNames = { person: 80, key: 60 } as const;

/** How long a decline session lives, and how long a page waits between two polls of it at the least. */
export const declineSession = { lifeSeconds: 900, pollAfterMs: 2000 } as const;

/**
 * What an API key may be allowed to do. Each route of the server group is opened by one of these: reports, their CSV file and
 * explanations by `reports:read`.
 */
export const scopes = ["decision:read", "offers:read", "events:write", "reports:read"] as const;
export type Scope = (typeof scopes)[number];

/** What a member of a publisher's team may do: each role whatever the one before it may, and more. */
export const roles = ["viewer", "editor", "owner"] as const;
export type Role = (typeof roles)[number];

/** How many changes the file of them has at the most; a spreadsheet opens as many at once. */
export const mostInActivityFile = 10_000;

/** What a row of the activity is about. An integration secret and stored visits are told as their website's. */
export const activitySubjects = [
  "publisher",
  "website",
  "advertiser",
  "offer",
  "offer_file",
  "currency",
  "api_key",
  "user",
  "partner",
  "connection",
] as const;
export type ActivitySubject = (typeof activitySubjects)[number];

/** What was done to it. */
export const activityActions = [
  "created",
  "updated",
  "paused",
  "resumed",
  "imported",
  "deposited",
  "adjusted",
  "rotated",
  "revoked",
  "secret_created",
  "secret_revoked",
  "visits_erased",
  "invited",
  "withdrawn",
  "joined",
  "removed",
  "disabled",
  "enabled",
  "password_link_made",
  "password_changed",
  "connected",
  "disconnected",
  "looked",
] as const;
export type ActivityAction = (typeof activityActions)[number];

/** Why a tag shows nothing, in the order in which they are to be mended: a later one matters only when the ones before it are gone. */
export const tagCauses = [
  "service_silent",
  "paused",
  "origin_not_registered",
  "insecure_origin",
  "wrong_public_key",
  "wrong_website",
  "unknown_website",
  "unreachable",
  "redirects_elsewhere",
  "tag_missing",
  "tag_altered",
  "blocked_by_consent",
  "delayed_by_optimiser",
  "not_run",
  "csp",
  "two_tags",
  "rate_limited",
  "no_call",
  "quiet",
  "old_script",
  "allowlist_empty",
  "no_offer_permitted",
  "no_offer_anywhere",
  "no_offer_for_place",
  "blocks_nobody",
  "live_development",
  "no_support_contact",
] as const;
export type TagCauseCode = (typeof tagCauses)[number];

/** The longest address of a page that a ping tells, in characters: the script cuts what is longer. */
export const longestPage = 256;
