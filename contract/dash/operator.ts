import { z } from "zod";
import { adjustmentNote, advertiserInput, currencyCode, depositNote, publisherInput } from "../catalogue.ts";
import { type ApplicationType, applicationTypes } from "../oauth.ts";
import { monthName } from "../text.ts";
import { type knownNetworks, payoutModels, type Scope, scopes } from "../words.ts";
import { email, personName, role } from "./accounts.ts";

/** What the operator's pages send. An amount is a decimal text in units of its currency, such as `250.00`. */

/** What is paid in comes afterwards, as a deposit: that needs the password. */
export const newAdvertiser = advertiserInput.pick({ name: true, currency: true });

const payment = z.object({
  amount: z.string().max(40),
  /** In which it is meant: refused where the advertiser pays in another. */
  currency: currencyCode.optional(),
  /** What deposits and adjustments came to when it was meant, in whole micro-units: refused where it is another sum by now. */
  depositedMicros: z.number().int().min(0).optional(),
});

export const deposit = payment.extend({ note: depositNote.optional() });

/** With a minus before its amount it takes away. */
export const adjustment = payment.extend({ note: adjustmentNote });

export const ledgerQuery = z.object({
  /** Lines before this one. */
  before: z
    .string()
    .regex(/^[1-9]\d{0,14}$/, "must be the number of a line")
    .transform(Number)
    .optional(),
  /** Deposits and adjustments, without what was billed. */
  kind: z.literal("deposit").optional(),
});

export const statementQuery = z.object({
  month: monthName,
  format: z.enum(["json", "csv"]).default("json"),
});

export const offerQuery = z.object({
  /** In the brand, the title or the id. */
  q: z.string().max(80).optional(),
  status: z.enum(["active", "paused"]).optional(),
  advertiser: z.string().max(80).optional(),
  vertical: z.string().max(40).optional(),
  model: z.enum(payoutModels).optional(),
  page: z
    .string()
    .regex(/^[1-9]\d{0,5}$/, "must be a whole number from 1")
    .transform(Number)
    .default(1),
});

export const offerStatus = z.object({ status: z.enum(["active", "paused"]) });

/** Members of an offer as they are to be; null takes one out. What they must be is told when the whole offer is judged. */
export const offerPatch = z.looseObject({});

export const offerFile = z.object({
  /** A JSON list, or CSV with a header. */
  format: z.enum(["json", "csv"]),
  text: z.string().min(1, "is empty"),
  /** Only tells what is wrong with it and what it would do. */
  isDryRun: z.boolean(),
});

export const offerFileQuery = z.object({
  format: z.enum(["json", "csv"]).default("csv"),
  advertiser: z.string().max(80).optional(),
});

export const newPublisher = publisherInput;
/** Without the defaults of a new one: what is left out stays. */
export const publisherPatch = z.object({
  name: publisherInput.shape.name.optional(),
  shareBasisPoints: publisherInput.shape.shareBasisPoints.unwrap().optional(),
  showSpend: publisherInput.shape.showSpend.unwrap().optional(),
});
export const publisherInvitee = z.object({ email, role: role.default("owner") });

export const newUser = z.object({
  email,
  name: personName.optional(),
  isOperator: z.boolean().default(false),
});
export const userPatch = z.object({ isDisabled: z.boolean().optional(), isOperator: z.boolean().optional() });

export const newPartner = z.object({
  name: z.string().max(200),
  redirectUris: z.array(z.string().max(2048)).max(50),
  applicationType: z.enum(applicationTypes).default("web"),
  isPublic: z.boolean().default(false),
  scopes: z.array(z.enum(scopes)).default([...scopes]),
});

export const qualityQuery = z.object({
  /** A week at the most: what did not count is told by reason, which is read from the events themselves. */
  days: z
    .string()
    .regex(/^[1-7]$/, "must be 1 to 7")
    .transform(Number)
    .default(1),
  traffic: z.enum(["live", "test"]).default("live"),
});

/** What they answer with. Micro-units are whole; times are milliseconds since the epoch, days `YYYY-MM-DD` of UTC. */

export type AdvertiserRow = {
  advertiserId: string;
  name: string;
  /** In which it pays; null for one that is older than its currency and has no offer yet. */
  currency: string | null;
  /** All deposits and adjustments together. */
  depositedMicros: number;
  spentMicros: number;
  balanceMicros: number;
  offers: number;
  activeOffers: number;
  spentTodayMicros: number;
  createdAt: number;
};

export type AdvertiserPage = AdvertiserRow & {
  /** The last thirty days, today among them, the oldest first; from the first one on which anything was billed. */
  days: { date: string; spentMicros: number; billedClicks: number }[];
};

export type LedgerLine = {
  id: number;
  at: number;
  kind: "deposit" | "adjustment" | "click" | "impression";
  /** Negative: billed, or taken away. */
  micros: number;
  currency: string | null;
  /** Of a deposit or an adjustment what was written to it. A node of an older release does not say. */
  note?: string | null;
  offerId: string | null;
  brand: string | null;
  /** A node of an older release does not say. */
  title?: string | null;
  websiteKey: string | null;
};

export type LedgerPage = {
  items: LedgerLine[];
  /** Where to go on; null: there are no older ones. A page may be short of lines and go on all the same. */
  before: number | null;
};

/** Whole micro-units; above 2^53 - 1 as a text with all their digits. */
export type ExactMicros = number | string;

/** An advertiser's account of a month, out of the ledger: the one that the command line's `statement` tells. */
export type AdvertiserMonth = {
  /** `YYYY-MM`. */
  month: string;
  currency: string | null;
  opening: ExactMicros;
  /** Money in, or back, in the order of the ledger. */
  payments: {
    line: number;
    at: number;
    kind: string;
    amount: ExactMicros;
    /** Its own, which may be another one than the advertiser's; null: it came before there was one. */
    currency: string | null;
    note: string | null;
  }[];
  /** What was billed, by offer. */
  items: {
    offerId: string;
    brand: string;
    title: string;
    currency: string;
    billableClicks: number;
    billedViews: number;
    spend: ExactMicros;
  }[];
  closing: ExactMicros;
  /** Figures of which balance or budgets say something else than the ledger; of an advertiser, or of one of its offers. */
  differences: { offerId: string | null; figure: string; ledger: ExactMicros; recorded: ExactMicros }[];
  /** Whether it adds up, and whether it is final, in the command line's words. */
  check: string;
  finality: string;
};

export type OfferRow = {
  offerId: string;
  advertiserId: string;
  advertiserName: string;
  brand: string;
  title: string;
  vertical: string;
  status: "active" | "paused";
  payoutModel: (typeof payoutModels)[number];
  payoutMicros: number;
  currency: string;
  geoCoverage: string[];
  premium: boolean;
  dailyBudgetMicros: number | null;
  totalBudgetMicros: number | null;
  dailyClickCap: number | null;
  totalClickCap: number | null;
  spentTodayMicros: number;
  clicksToday: number;
  spentMicros: number;
  billedClicks: number;
  version: number;
};

export type OfferList = { items: OfferRow[]; page: number; pageSize: number; total: number };

/** An offer's own members are those of `offerInput`. */
export type OfferPage = OfferRow & {
  offer: Record<string, unknown>;
  createdAt: number;
};

export type OfferFileOutcome =
  | {
      isSaved: boolean;
      created: number;
      updated: number;
      /** Sentences on what is no mistake and may not be meant. A node of an older release does not say. */
      notes?: string[];
      problems?: undefined;
    }
  | { isSaved: false; problems: { line: number; column: string; message: string }[] };

export type PublisherRow = {
  publisherId: string;
  publicKey: string;
  name: string;
  shareBasisPoints: number;
  showSpend: boolean;
  websites: number;
  members: number;
  createdAt: number;
  version: number;
};

export type PublisherPage = PublisherRow & {
  sites: {
    websiteKey: string;
    name: string;
    origins: string[];
    vertical: string;
    development: boolean;
    paused: boolean;
  }[];
};

export type UserRow = {
  userId: number;
  email: string;
  name: string;
  isOperator: boolean;
  isDisabled: boolean;
  hasPassword: boolean;
  createdAt: number;
  /** When a session that they still have was last used; null: they have none. Sessions that are over are not kept. */
  lastSeenAt: number | null;
  memberships: { publisherId: string; name: string; role: z.infer<typeof role> }[];
};

export type PartnerRow = {
  clientId: string;
  name: string;
  applicationType: ApplicationType;
  redirectUris: readonly string[];
  scopes: readonly Scope[];
  isPublic: boolean;
  createdAt: number;
  revokedAt: number | null;
  liveGrants: number;
};

/** An application at the one moment at which its secret can be read; null: it is given none. */
export type MadePartner = { clientId: string; clientSecret: string | null };

type ListAge = { kind: (typeof knownNetworks)[number]; date: string; ageDays: number; isOld: boolean };

export type Quality = {
  from: number;
  to: number;
  /** Events that did not count, each with its reason; of an answer each offer is one. */
  refused: { date: string; websiteKey: string; type: string; reason: string; events: number }[];
  /** Events of which only a number was kept, since they came above a limit or repeated others without end. */
  unkept: { date: string; websiteKey: string; events: number }[];
  /** What counted beside them, by the reports' counters of those days. */
  counted: { date: string; websiteKey: string; counted: number; filtered: number }[];
  websites: { websiteKey: string; name: string; publisher: string }[];
  networks: ListAge[];
  geo: { name: string; date: string; ageDays: number; isOld: boolean }[];
};

/** What a command of the operator's last ended in. */
export type RunNote = { kind: "backup" | "recount" | "audit"; at: number; isGood: boolean; says: string };

export type Now = {
  at: number;
  startedAt: number;
  /** Of the last minute, in this process. */
  events: { type: string; events: number; refused: number }[];
  reasons: { reason: string; events: number }[];
  /** How long the last commits took, in milliseconds; null: none in the last minute. */
  commit: { commits: number; medianMs: number; worstMs: number } | null;
  waiting: number;
  isRefusing: boolean;
  /** Since the catalogue was last read, in milliseconds. */
  snapshotAgeMs: number;
  callsPerSecond: number;
  /** From 0 to 1: the share of its time in which the event loop has something to do. */
  busyShare: number;
  disk: { freeBytes: number; totalBytes: number; databaseBytes: number | null } | null;
  runs: RunNote[];
  catalogue: { version: number; publishers: number; websites: number; offers: number; activeOffers: number };
  versions: { program: string; node: string; database: string; schema: string };
};
