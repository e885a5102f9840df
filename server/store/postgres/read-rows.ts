import type { BilledClick, NetworkMinute } from "../../core/billing-limits.ts";
import type { Spent } from "../../core/budget.ts";
import type { DeclineSession, WaitingSession } from "../../core/decline-session.ts";
import type { KeptAnswer } from "../../core/idempotency.ts";
import type { Fact } from "../journal/recording.ts";
import type { BudgetedOffer } from "../rows/budgets.ts";
import { type FactRow, factOfRow } from "../rows/fact-row.ts";

/** A fact as it was read: by its version it is known whether somebody else has changed it since. */
export type StoredFact = { fact: Fact; version: string };

/** What was read for a batch, within its transaction and under its locks. Nobody changes it. */
export type ReadAhead = {
  /** By request; null: it has more facts than are read at once. */
  facts: Map<string, StoredFact[] | null>;
  offers: Map<number, BudgetedOffer | null>;
  /** By `spendKey`; each is locked. */
  spends: Map<string, Spent>;
  /** What a website's publisher earns, in basis points, and that publisher's number; null: the catalogue has no such website. */
  websites: Map<number, { publisher: number; share: number } | null>;
  clicks: Map<string, BilledClick[]>;
  networks: Map<string, NetworkMinute[]>;
  views: Map<string, NetworkMinute[]>;
  sessions: Map<string, DeclineSession | null>;
  /** How many sessions are kept, by website. */
  kept: Map<number, number>;
  /** Whether nobody else can open any for these websites; null: they can, and who waits was not read. */
  waiting: Waiting | null;
  answers: Map<string, { answer: KeptAnswer; version: string } | null>;
  /**
   * By `pingedKey` which of the asked pages an hour has rows of, by `pageKey`, and how many it has in all, as far as they are
   * kept; null: none of those that were asked for is new, and nobody has counted them.
   */
  pinged: Map<string, { pages: Set<string>; kept: number | null }>;
  /** Codes and details by `refusedKey`. */
  refused: Map<string, { code: string; detail: string }[]>;
};

/** Sessions that nobody has triggered, the oldest first; all of them where there are fewer than were asked for. */
export type Waiting = {
  ofWebsite: Map<number, { sessions: WaitingSession[]; areAll: boolean }>;
  /** By `openerKey`. */
  ofOpener: Map<string, { sessions: WaitingSession[]; areAll: boolean }>;
};

/** A request that has more facts than this is one that somebody plays with, and is read by parts. */
export const mostFacts = 200;

/** A fact with its version, of a row that has the columns of both. */
export function storedOf(row: FactRow & { version: string }): StoredFact {
  return { fact: factOfRow(row), version: row.version };
}

export function spendKey(subject: string, day: number): string {
  return `${subject} ${day}`;
}

export function openerKey(websiteId: number, opener: string): string {
  return `${websiteId} ${opener}`;
}

/** Asks one more thing of the database: a statement under its name, and who takes each row of its answer. */
export type Ask = <Row extends object>(
  name: string,
  text: string,
  values: unknown[],
  take: (row: Row) => void,
) => void;
