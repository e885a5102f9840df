import type { PayoutModel } from "@offers/contract/words";
import { clicksSince, hourOf, hoursOfViews, minuteOf, viewsSince } from "../../core/billing-limits.ts";
import type { ClickHopEntry, DayHashes, JournalEntry, Viewer, Visit } from "../../core/journal-entry.ts";
import { type BilledEvent, billedEvent } from "../../core/price.ts";
import type { NotedPage } from "../../core/snippet-ping.ts";
import { dayMs, dayNumber } from "../../core/utc-day.ts";

/** Which rows the rules may ask for while they record some entries. */
export type Reach = {
  /** Requests by their keys: all of their facts. */
  requests: Set<string>;
  /** Offers that may be billed, by number, and the UTC days on which: their spends are locked. */
  bills: Map<number, Set<number>>;
  /** Visitors' names, and since when what they were billed for matters. */
  visitors: Map<string, number>;
  /** Networks' names with the day of each, by `networkKey`. */
  networks: Map<string, { day: number; network: string; since: number }>;
  /** Viewers of an offer in an hour, by `viewKey`. */
  views: Map<string, { hour: number; viewer: string; offer: number; since: number }>;
  /** Decline sessions that are triggered, by their ids. */
  sessions: Set<string>;
  /** How many sessions of each website are opened or triggered, and by which openers. */
  openings: Map<number, { most: number; openers: Set<string> }>;
  /** Idempotency keys, by `answerKey`. */
  answers: Map<string, { scope: string; key: string }>;
  /** Subjects of refused calls and the hours, by `refusedKey`. */
  refused: Map<string, { subject: string; hour: number }>;
  /** Websites' hours, by `pingedKey`, and the pages that called in them, by `pageKey`. */
  pinged: Map<string, { websiteId: number; hour: number; pages: Map<string, NotedPage> }>;
  /** Websites by their numbers. */
  websites: Set<number>;
};

export type ReachOptions = {
  /** An offer's payout model as the catalogue has it; null: it has no such offer. */
  modelOf(offer: number): PayoutModel | null;
  /**
   * The catalogue may have changed since an offer was handed out, and an impression may have come on a day before its
   * click's, or from another website: where the rules have asked for more than usual, they are given whatever any answer,
   * any of these days and any of these websites can ask for. Null: the usual.
   */
  wide: { days: ReadonlySet<number>; websites: ReadonlySet<number> } | null;
};

/** The rows that recording these entries may ask for: the usual ones, or any that can be asked for at all. */
export function reachOf(entries: readonly JournalEntry[], { modelOf, wide }: ReachOptions): Reach {
  const reach: Reach = {
    requests: new Set(),
    bills: new Map(),
    visitors: new Map(),
    networks: new Map(),
    views: new Map(),
    sessions: new Set(),
    openings: new Map(),
    answers: new Map(),
    refused: new Map(),
    pinged: new Map(),
    websites: new Set(wide?.websites),
  };
  /** Whether an event of this kind bills an offer that the catalogue does not know, or knows by such a model. */
  const mayBill = (offer: number, event: BilledEvent | "either"): boolean => {
    if (wide !== null) return true;
    if (offer === 0) return false;
    const model = modelOf(offer);
    if (model === null) return true;
    const billed = billedEvent(model);
    return billed !== null && (event === "either" || billed === event);
  };
  const addBill = (offer: number, at: number): void => {
    const days = reach.bills.get(offer) ?? new Set(wide?.days);
    days.add(dayNumber(at));
    reach.bills.set(offer, days);
  };
  const addViews = (viewer: Viewer | null, offer: number, at: number): void => {
    for (const name of [viewer?.visitor, viewer?.network]) {
      if (name == null) continue;
      const since = minuteOf(viewsSince(at));
      for (const hour of hoursOfViews(at)) {
        const key = viewKey(hour, name, offer);
        const before = reach.views.get(key)?.since ?? since;
        reach.views.set(key, { hour, viewer: name, offer, since: Math.min(since, before) });
      }
    }
  };
  const addVisit = ({ request, websiteId }: Visit): void => {
    reach.requests.add(request);
    reach.websites.add(websiteId);
  };
  const addImpression = (visit: Visit, offer: number, viewer: Viewer | null): void => {
    addVisit(visit);
    if (!mayBill(offer, "impression")) return;
    addBill(offer, visit.at);
    addViews(viewer, offer, visit.at);
  };
  const addHop = ({ visit, offer, payer, viewer }: ClickHopEntry): void => {
    addVisit(visit);
    if (mayBill(offer, "either")) addBill(offer, visit.at);
    if (mayBill(offer, "impression")) addViews(viewer, offer, visit.at);
    if (!mayBill(offer, "click")) return;
    const since = clicksSince(visit.at);
    for (const name of payer.visitors === null ? [] : namesOf(payer.visitors)) {
      reach.visitors.set(name, Math.min(since, reach.visitors.get(name) ?? since));
    }
    for (const { day, network } of networksOf(payer.networks, since)) {
      const key = networkKey(day, network);
      const minute = minuteOf(since);
      const before = reach.networks.get(key)?.since ?? minute;
      reach.networks.set(key, { day, network, since: Math.min(minute, before) });
    }
  };
  const openingsOf = (websiteId: number) => {
    const openings = reach.openings.get(websiteId) ?? { most: 0, openers: new Set() };
    openings.most += 1;
    reach.openings.set(websiteId, openings);
    return openings;
  };
  const triggered = new Set(
    entries.flatMap((entry) => (entry.kind === "decline_triggered" ? [entry.sessionId] : [])),
  );
  const add = (entry: JournalEntry): void => {
    switch (entry.kind) {
      case "blocked":
      case "served":
      case "noted":
      case "drawn":
      case "click_beacon":
        addVisit(entry.visit);
        return;
      case "impression":
        addImpression(entry.visit, entry.offer, entry.viewer);
        return;
      case "click_hop":
        addHop(entry);
        return;
      case "server_event": {
        const { idempotency, visit, offer, type, standsAlone, viewer } = entry;
        if (idempotency !== null) {
          const { scope, key, isTooOld } = idempotency;
          reach.answers.set(answerKey(scope, key), { scope, key });
          if (isTooOld) return;
        }
        if (type === "impression" && !standsAlone) addImpression(visit, offer.offer, viewer);
        else addVisit(visit);
        return;
      }
      case "decline_opened": {
        const { session, opener } = entry;
        const { openers } = openingsOf(session.websiteId);
        openers.add(opener);
        reach.websites.add(session.websiteId);
        // The facts of a session that is stored are found by it; of this one they are not.
        if (triggered.has(session.sessionId)) reach.requests.add(session.request);
        return;
      }
      case "decline_triggered":
        openingsOf(entry.websiteId);
        reach.sessions.add(entry.sessionId);
        reach.websites.add(entry.websiteId);
        return;
      case "calls_refused": {
        const hour = hourOf(entry.at);
        reach.refused.set(refusedKey(entry.subject, hour), { subject: entry.subject, hour });
        return;
      }
      case "clicks_refused":
        reach.websites.add(entry.cell.websiteId);
        return;
      case "snippet_ping": {
        const { websiteId } = entry;
        const hour = hourOf(entry.at);
        const key = pingedKey(websiteId, hour);
        const { pages } = reach.pinged.get(key) ?? { pages: new Map<string, NotedPage>() };
        reach.pinged.set(key, { websiteId, hour, pages: pages.set(pageKey(entry), entry) });
        return;
      }
      case "dismissed":
      case "key_used":
      case "grant_used":
        return;
      default:
        entry satisfies never;
    }
  };
  for (const entry of entries) add(entry);
  return reach;
}

/** A visitor's or network's name of today and of yesterday. */
export function namesOf({ today, yesterday }: DayHashes): string[] {
  return [today, yesterday];
}

/** A network's names, each with the first millisecond of the day whose salt has made what was billed under it. */
export function networksOf(
  { today, yesterday }: DayHashes,
  since: number,
): { day: number; network: string }[] {
  // It is since a day: what was billed under today's name was billed on the day after that.
  const day = since - (since % dayMs);
  return [
    { day: day + dayMs, network: today },
    { day, network: yesterday },
  ];
}

export function networkKey(day: number, network: string): string {
  return `${day} ${network}`;
}

export function viewKey(hour: number, viewer: string, offer: number): string {
  return `${hour} ${viewer} ${offer}`;
}

export function answerKey(scope: string, key: string): string {
  return `${scope}\n${key}`;
}

export function refusedKey(subject: string, hour: number): string {
  return `${hour} ${subject}`;
}

export function pingedKey(websiteId: number, hour: number): string {
  return `${hour} ${websiteId}`;
}

export function pageKey({ host, scriptVersion }: Pick<NotedPage, "host" | "scriptVersion">): string {
  return `${host}\n${scriptVersion}`;
}
