import type { ClientHints } from "@offers/contract/events";
import type { EventMark, RefusalReason } from "@offers/contract/words";
import type { BilledClick, NetworkMinute } from "../../core/billing-limits.ts";
import type { Cell } from "../../core/cell.ts";
import type { CounterFold, UnkeptEvents } from "../../core/counter-fold.ts";
import type { DeclineSession, KeptSessions, WaitingSession } from "../../core/decline-session.ts";
import { type CountedFact, eventIdOf, type FactKey, factTypes } from "../../core/fact.ts";
import type { HandedOffer, HandedRole } from "../../core/handed-offers.ts";
import type { KeptAnswer } from "../../core/idempotency.ts";
import type {
  CallsRefusedEntry,
  ClickBeaconEntry,
  ClickHopEntry,
  DayHashes,
  DismissedEntry,
  GrantUsedEntry,
  HandedOut,
  ImpressionEntry,
  JournalOutcome,
  KeyUsedEntry,
  Payer,
  SnippetPingEntry,
  Viewer,
  Visit,
} from "../../core/journal-entry.ts";
import type { BilledEvent } from "../../core/price.ts";
import type { Suppression } from "../../core/suppression.ts";

/** One stored fact. What it is and when it counts stands in core/fact.ts. */
export type Fact = FactKey &
  CountedFact & {
    /** Of an impression: its own reason, which a counted click on the offer has overruled. */
    overruled: RefusalReason | null;
    mark: EventMark | null;
    position: number | null;
    /** When the browser reported it; null for an impression that only a click implies. */
    beaconAt: number | null;
    clickId: string | null;
    hints: ClientHints | null;
    /** The family of the browser that it came from (core/browser-family.ts). */
    browser: number | null;
    /** Of an answer, and of a decision that came with an offer: the version of the click rates that ranked them. */
    rates: number | null;
    /** Of a decision that blocked, and of an answer: the version of the catalogue that it went by. */
    catalogue: number | null;
    /** Of a decision that blocked, and of an answer: what had located the visitor (core/geo-source.ts). */
    geoSource: number | null;
  };

/** The rows of facts. Everything here is synchronous: an engine answers by a statement, or from what it read ahead. */
export type FactRows = {
  /** Writes a new fact; false, and nothing written, when there is one of its key. */
  insert(fact: Fact): boolean;
  /** Writes all members of the fact that has this key. */
  replace(fact: Fact): void;
  remove(key: FactKey): void;
  /**
   * The facts of a request that say what it was handed out, its decision's and each answer that fixed a price, and what
   * of that was drawn.
   */
  answersOf(request: string): readonly AnswerFact[];
  /** The impression and the click of a request's offer that can count. */
  firstOf(request: string, offer: number): FirstEvents;
  /** The first `seq` above 0 that no fact of this request, offer and type has. */
  nextSeq(key: Omit<FactKey, "seq">): number;
};

/** What was billed lately, and to whom: what the limits of core/billing-limits.ts are kept by. Times are milliseconds. */
export type BilledLately = {
  /** Of the visitor with one of these hashes, after `since`. */
  clicksOf(visitors: DayHashes, since: number): readonly BilledClick[];
  /** Of the network and offer with one of these hashes, in the minute of `since` and after. */
  clicksOfNetwork(networks: DayHashes, since: number): readonly NetworkMinute[];
  /** Of the offer by the visitor or network of this hash, whatever of `hoursOfViews(at)` is not before `viewsSince(at)`. */
  viewsOf(name: string, offer: number, at: number): readonly NetworkMinute[];
  noteClick(payer: Payer, offer: number, at: number): void;
  noteView(viewer: Viewer, offer: number, at: number): void;
};

export type AnswerFact = Pick<Fact, "type" | "seq" | "at" | "reason" | "offers" | "browser">;

export type FirstEvents = { impression: Fact | null; click: Fact | null };

/** The numbers that the store has given to cells. */
export type Cells = {
  /** The number of a cell, given now when it has none. */
  numberOf(cell: Cell): number;
  cellOf(number: number): Cell;
};

export type Bill = {
  kind: BilledEvent;
  request: string;
  offer: number;
  /** Whole micro-units, 0 or more. */
  micros: number;
  currency: string;
  /** On whose pages it happened: its publisher earns a share. */
  websiteId: number;
  /** Milliseconds since the epoch; its UTC day's caps are used. */
  at: number;
};

/**
 * Takes the sum from every cap and writes its line in the ledger, with what the publisher earns of it, which is returned:
 * whole micro-units by the share that stands at this moment. Null, and nothing written, when a cap has too little left.
 */
export type Charge = (bill: Bill) => number | null;

export type Sessions = {
  kept(websiteId: number): KeptSessions;
  /** Of the website's sessions that nobody has triggered the oldest, of all and of those that this opener opened. */
  waiting(
    websiteId: number,
    opener: string,
  ): { oldest: WaitingSession | null; oldestOfOpener: WaitingSession | null };
  open(session: Omit<DeclineSession, "readyAt" | "suppression">, opener: string): void;
  remove(sessionId: string): void;
  find(sessionId: string): DeclineSession | null;
  /** From then on the session has no opener any more. */
  markReady(sessionId: string, ready: { at: number; suppression: Suppression | null }): void;
};

/** Answers that are kept for whoever repeats a request under its idempotency key. */
export type KeptAnswers = {
  find(scope: string, key: string): KeptAnswer | undefined;
  keep(scope: string, key: string, answer: KeptAnswer): void;
  /** Deletes some of those that were kept at `before` (milliseconds since the epoch) or earlier, `most` at the most. */
  forget(before: number, most: number): void;
};

/** What is worth knowing and is no fact. */
export type Notes = {
  /** `hour`: its first millisecond. */
  ping(ping: SnippetPingEntry, hour: number): void;
  keyUse(use: KeyUsedEntry): void;
  grantUse(use: GrantUsedEntry): void;
  /** Once for a visitor and day, however often it comes; of all visitors the newest are kept. */
  dismissal(dismissed: DismissedEntry): void;
  /** Adds to how often calls were refused like this in an hour, and without the detail where the hour has many. `hour`: its first millisecond. */
  refusedCalls(refused: CallsRefusedEntry, hour: number): void;
  /** Adds to how many events of a place are in the counters and have no fact. */
  unkept(events: UnkeptEvents): void;
};

/** What recording one entry may touch, all of it in one transaction. */
export type Recording = {
  rows: FactRows;
  cells: Cells;
  fold: CounterFold;
  charge: Charge;
  billed: BilledLately;
  sessions: Sessions;
  answers: KeptAnswers;
  notes: Notes;
};

/** A fact that counts and bills nothing yet. */
export function factOf(visit: Visit, own: Pick<Fact, "offer" | "type" | "cell"> & Partial<Fact>): Fact {
  return {
    request: visit.request,
    seq: 0,
    at: visit.at,
    reason: null,
    overruled: null,
    mark: null,
    placement: null,
    position: null,
    billedMicros: null,
    earnedMicros: null,
    beaconAt: null,
    hopAt: null,
    clickId: null,
    hints: null,
    offers: null,
    browser: visit.browser,
    rates: null,
    catalogue: null,
    geoSource: null,
    ...own,
  };
}

/** The cell of a visit's event. */
export function cellOf(visit: Visit, vertical: string, currency: string): Cell {
  const { websiteId, country, region, surface, test, device } = visit;
  return { websiteId, country, region, vertical, surface, test, currency, device };
}

/** An offer as an answer's fact keeps it. */
export function handedOffer(cells: Cells, visit: Visit, handed: HandedOut, role: HandedRole): HandedOffer {
  const { offer, vertical, placement, position, payoutModel, priceMicros, currency } = handed;
  const cell = cells.numberOf(cellOf(visit, vertical, currency));
  return { offer, cell, placement, position, payoutModel, priceMicros, role };
}

/** What an impression, beacon or hop is written from. */
export type SeenEntry = ImpressionEntry | ClickBeaconEntry | ClickHopEntry;

/** The fact that an impression, beacon or hop writes. An offer that was handed out keeps its cell and its place of then. */
export function factOfSeen(
  entry: SeenEntry,
  handed: { offer: HandedOffer } | null,
  { cells }: Recording,
): Fact {
  const { visit, offer, vertical, placement, position } = entry;
  const isImpression = entry.kind === "impression";
  const isHop = entry.kind === "click_hop";
  return factOf(visit, {
    offer,
    type: isImpression ? factTypes.impression : factTypes.click,
    cell: handed?.offer.cell ?? cells.numberOf(cellOf(visit, vertical, "")),
    // Where it was handed out: a page must not move the rates of another place.
    placement: handed?.offer.placement ?? placement,
    position,
    clickId: isHop ? entry.clickId : null,
    mark: isHop ? entry.mark : null,
    hopAt: isHop ? visit.at : null,
    beaconAt: isHop ? null : visit.at,
    hints: isImpression ? entry.clientHints : null,
  });
}

/** Writes a fact in place of another of the same key, or as a new one, and moves the counters with it. */
export function saveFact({ rows, fold }: Recording, before: Fact | null, after: Fact): void {
  if (before === null) {
    if (!rows.insert(after)) throw new Error(`${eventIdOf(after)} stands there already`);
  } else {
    rows.replace(after);
    fold.add(before, -1);
  }
  fold.add(after, 1);
}

/** What was billed for a fact, and what the publisher earned of that. */
export type Billed = { billedMicros: number; earnedMicros: number };

/** Bills `micros` for a fact; null when nothing was billed because some cap has too little left. */
export function billFact({ cells, charge }: Recording, fact: Fact, micros: number): Billed | null {
  const { request, offer, at } = fact;
  const kind = fact.type === factTypes.click ? "click" : "impression";
  const { currency, websiteId } = cells.cellOf(fact.cell);
  const earnedMicros = charge({ kind, request, offer, micros, currency, websiteId, at });
  return earnedMicros === null ? null : { billedMicros: micros, earnedMicros };
}

/** The outcome of an entry that ended in this fact. */
export function outcomeOf(fact: Fact, billedMicros: number | null): JournalOutcome {
  return { eventId: eventIdOf(fact), refusal: fact.reason, billedMicros };
}

/** The outcome of an entry that is no event of its own. */
export const noEvent: JournalOutcome = { eventId: null, refusal: null, billedMicros: null };

/** The outcome of an entry that left no event, though others of its kind do. */
export const passedOver: JournalOutcome = { ...noEvent, addsNothing: true };
