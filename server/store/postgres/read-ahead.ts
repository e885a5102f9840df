import type pg from "pg";
import type { BilledClick, NetworkMinute } from "../../core/billing-limits.ts";
import type { Spent } from "../../core/budget.ts";
import type { DeclineSession, WaitingSession } from "../../core/decline-session.ts";
import type { KeptAnswer } from "../../core/idempotency.ts";
import type { Fact } from "../journal/recording.ts";
import type { BudgetedOffer } from "../rows/budgets.ts";
import { everyDay } from "../rows/budgets.ts";
import { type FactRow, factColumns, factOfRow } from "../rows/fact-row.ts";
import { bytesOf, textOf } from "../rows/row-bytes.ts";
import { type SessionRow, sessionColumns, sessionOfRow } from "../rows/session-row.ts";
import type { KnownOffer } from "./known-offers.ts";
import { type Statement, sendAll } from "./pipeline.ts";
import { answerKey, networkKey, type Reach, refusedKey, viewKey } from "./reach.ts";

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
const mostFacts = 200;

/** Advisory locks of this class are visitors'. */
const visitorLocks = 1_818_524;
/**
 * So many locks are all visitors' together: the server has room for 64 locks for each connection that it may have, of
 * everybody's, and a lock for each visitor would use them up.
 */
const visitorSlots = 4096;

export function spendKey(subject: string, day: number): string {
  return `${subject} ${day}`;
}

export function openerKey(websiteId: number, opener: string): string {
  return `${websiteId} ${opener}`;
}

/**
 * Begins a transaction, locks what it may spend, and reads all that the rules may ask for, in one round trip; what is read
 * behind the locks has seen all that was committed under them. The transaction is open afterwards, in whatever state.
 */
export async function readAhead(
  client: pg.Client,
  reach: Reach,
  { offerOf, isWide }: { offerOf: (number: number) => KnownOffer | null; isWide: boolean },
): Promise<ReadAhead> {
  const read: ReadAhead = {
    facts: new Map([...reach.requests].map((request) => [request, []])),
    offers: new Map([...reach.bills.keys()].map((offer) => [offer, null])),
    spends: new Map(),
    websites: new Map([...reach.websites].map((website) => [website, null])),
    clicks: new Map([...reach.visitors.keys()].map((visitor) => [visitor, []])),
    networks: new Map([...reach.networks.keys()].map((key) => [key, []])),
    views: new Map([...reach.views.keys()].map((key) => [key, []])),
    sessions: new Map([...reach.sessions].map((session) => [session, null])),
    kept: new Map([...reach.openings.keys(), 0].map((website) => [website, 0])),
    waiting: isWide && reach.openings.size > 0 ? { ofWebsite: new Map(), ofOpener: new Map() } : null,
    answers: new Map([...reach.answers.keys()].map((key) => [key, null])),
    refused: new Map([...reach.refused.keys()].map((key) => [key, []])),
  };
  const questions: Question[] = [];
  const ask = <Row extends object>(name: string, text: string, values: unknown[], take: (row: Row) => void) =>
    questions.push({ statement: { name, text, values }, take: (rows) => (rows as Row[]).forEach(take) });
  askSpends(ask, read, spendsOf(reach, offerOf));
  askVisitorLocks(ask, reach);
  askSessions(ask, read, reach);
  askOffers(ask, read, reach);
  askFacts(ask, read, reach);
  askBilled(ask, read, reach);
  askAnswers(ask, read, reach);
  const { results, failed } = await sendAll(client, [
    "begin",
    ...questions.map(({ statement }) => statement),
  ]);
  if (failed !== null) throw failed.error;
  for (const [at, { take }] of questions.entries()) take(results[at + 1]?.rows ?? []);
  return read;
}

type Question = { statement: Statement; take: (rows: unknown[]) => void };
type Ask = <Row extends object>(
  name: string,
  text: string,
  values: unknown[],
  take: (row: Row) => void,
) => void;

/** The rows of spends that are locked, in the one order in which everybody locks them. */
export function spendsOf(
  reach: Reach,
  offerOf: (number: number) => KnownOffer | null,
): { subject: string; day: number }[] {
  const spends = new Map<string, { subject: string; day: number }>();
  const add = (subject: string, day: number) => spends.set(spendKey(subject, day), { subject, day });
  for (const [number, days] of reach.bills) {
    const offer = offerOf(number);
    if (offer === null) continue;
    add(offer.id, everyDay);
    add(offer.advertiserId, everyDay);
    for (const day of days) add(offer.id, day);
  }
  return [...spends.values()];
}

const askSpends = (ask: Ask, read: ReadAhead, spends: readonly { subject: string; day: number }[]): void => {
  if (spends.length === 0) return;
  ask<{ subject: string; day: number; spent_micros: number; billed_clicks: number }>(
    "lock_spends",
    `select s.subject, s.day, s.spent_micros, s.billed_clicks
     from unnest($1::text[], $2::bigint[]) k(subject, day) join spend s on s.subject = k.subject and s.day = k.day
     order by s.subject, s.day for no key update of s`,
    [spends.map(({ subject }) => subject), spends.map(({ day }) => day)],
    ({ subject, day, spent_micros, billed_clicks }) =>
      read.spends.set(spendKey(subject, day), { micros: spent_micros, clicks: billed_clicks }),
  );
};

/**
 * What a visitor was billed for on other offers counts too, and those have other locks: so whoever may bill a visitor holds
 * the visitor's own.
 */
const askVisitorLocks = (ask: Ask, { visitors }: Reach): void => {
  if (visitors.size === 0) return;
  const slots = new Set([...visitors.keys()].map((name) => bytesOf(name).readUInt16BE(0) % visitorSlots));
  ask(
    "lock_visitors",
    "select pg_advisory_xact_lock($1::int, slot) from unnest($2::int[]) slot",
    [visitorLocks, [...slots].sort((one, other) => one - other)],
    () => undefined,
  );
};

const askOffers = (ask: Ask, read: ReadAhead, { bills, websites }: Reach): void => {
  if (bills.size > 0) {
    ask<BudgetedOffer>(
      "read_offers",
      `select o.number, o.id, o.payout_model, o.payout_micros, o.daily_budget_micros, o.total_budget_micros,
         o.daily_click_cap, o.total_click_cap, o.advertiser_id, a.number as advertiser, a.deposited_micros
       from unnest($1::bigint[]) k(number) join offer o on o.number = k.number
         join advertiser a on a.id = o.advertiser_id`,
      [[...bills.keys()]],
      (offer) => read.offers.set(offer.number, offer),
    );
  }
  if (websites.size > 0) {
    ask<{ id: number; publisher: number; share: number }>(
      "read_websites",
      websitesRead,
      [[...websites]],
      ({ id, publisher, share }) => read.websites.set(id, { publisher, share }),
    );
  }
};

export const websitesRead = `
  select w.id, p.number as publisher, coalesce(w.share_basis_points, p.share_basis_points) as share
  from unnest($1::bigint[]) k(id) join website w on w.id = k.id join publisher p on p.id = w.publisher_id`;

const columnsOfFact = [...factColumns, "xmin::text as version"].join(", ");

/** `offset 0` and `limit` keep the planner from making a join of it, which it may answer by reading a whole young table. */
const askFacts = (ask: Ask, read: ReadAhead, { requests, sessions }: Reach): void => {
  const take = (row: FactRow & { version: string }): void => {
    const request = textOf(row.request);
    const facts = read.facts.get(request);
    if (facts == null) return;
    if (facts.length >= mostFacts) read.facts.set(request, null);
    else facts.push(storedOf(row));
  };
  if (requests.size > 0) {
    ask(
      "read_facts",
      `select f.* from unnest($1::bytea[]) k(request) cross join lateral
         (select ${columnsOfFact} from fact where request = k.request limit ${mostFacts + 1} offset 0) f`,
      [[...requests].map(bytesOf)],
      take,
    );
  }
  if (sessions.size > 0) {
    ask(
      "read_facts_of_sessions",
      `select f.* from unnest($1::text[]) k(id)
         cross join lateral (select request from decline_session where id = k.id offset 0) s
         cross join lateral
           (select ${columnsOfFact} from fact where request = s.request limit ${mostFacts + 1} offset 0) f`,
      [[...sessions]],
      (row: FactRow & { version: string }) => {
        if (!requests.has(textOf(row.request))) take(row);
      },
    );
  }
};

/** A fact with its version, of a row that has the columns of both. */
export function storedOf(row: FactRow & { version: string }): StoredFact {
  return { fact: factOfRow(row), version: row.version };
}

type MinuteRow = { name: Uint8Array; at: number; times: number; unnamed: number };

const askBilled = (ask: Ask, read: ReadAhead, reach: Reach): void => {
  if (reach.visitors.size > 0) {
    ask<{ visitor: Uint8Array; offer: number; at: number }>(
      "read_clicks",
      `select b.* from unnest($1::bytea[], $2::bigint[]) k(visitor, since) cross join lateral
         (select visitor, offer, at from billed_click where visitor = k.visitor and at > k.since offset 0) b`,
      [[...reach.visitors.keys()].map(bytesOf), [...reach.visitors.values()]],
      ({ visitor, offer, at }) => read.clicks.get(textOf(visitor))?.push({ offer, at }),
    );
  }
  const networks = [...reach.networks.values()];
  if (networks.length > 0) {
    ask<MinuteRow & { day: number }>(
      "read_networks",
      `select b.* from unnest($1::bigint[], $2::bytea[], $3::bigint[]) k(day, network, since) cross join lateral
         (select day, network as name, at, clicks as times, unnamed from billed_network
          where day = k.day and network = k.network and at >= k.since offset 0) b`,
      [
        networks.map(({ day }) => day),
        networks.map(({ network }) => bytesOf(network)),
        networks.map(({ since }) => since),
      ],
      ({ day, name, at, times, unnamed }) =>
        read.networks.get(networkKey(day, textOf(name)))?.push({ at, times, unnamed }),
    );
  }
  const views = [...reach.views.values()];
  if (views.length > 0) {
    ask<MinuteRow & { hour: number; offer: number }>(
      "read_views",
      `select b.* from unnest($1::bigint[], $2::bytea[], $3::bigint[], $4::bigint[]) k(hour, viewer, offer, since)
         cross join lateral
         (select hour, viewer as name, offer, at, views as times, unnamed from billed_view
          where hour = k.hour and viewer = k.viewer and offer = k.offer and at >= k.since offset 0) b`,
      [
        views.map(({ hour }) => hour),
        views.map(({ viewer }) => bytesOf(viewer)),
        views.map(({ offer }) => offer),
        views.map(({ since }) => since),
      ],
      ({ hour, name, offer, at, times, unnamed }) =>
        read.views.get(viewKey(hour, textOf(name), offer))?.push({ at, times, unnamed }),
    );
  }
};

const askSessions = (ask: Ask, read: ReadAhead, { sessions, openings }: Reach): void => {
  const { waiting } = read;
  if (openings.size > 0) {
    // Locked before any session is, as by the trigger of whoever opens one.
    ask<{ website_id: number; sessions: number }>(
      waiting === null ? "read_kept" : "lock_kept",
      `select website_id, sessions from decline_kept where website_id = any($1::bigint[])
       ${waiting === null ? "" : "order by website_id for no key update"}`,
      [[...read.kept.keys()]],
      ({ website_id, sessions }) => read.kept.set(website_id, sessions),
    );
  }
  if (sessions.size > 0) {
    ask<SessionRow>(
      "read_sessions",
      `select ${sessionColumns.join(", ")} from decline_session where id = any($1::text[])`,
      [[...sessions]],
      (row) => {
        const session = sessionOfRow(row);
        read.sessions.set(row.id, session);
        if (!read.facts.has(session.request)) read.facts.set(session.request, []);
      },
    );
  }
  if (waiting !== null) askWaiting(ask, waiting, openings);
};

type WaitingRow = {
  website: number;
  opener: Uint8Array;
  id: WaitingSession["sessionId"];
  expires_at: number;
};

const askWaiting = (ask: Ask, { ofWebsite, ofOpener }: Waiting, openings: Reach["openings"]): void => {
  const websites = [...openings].map(([website, { most }]) => ({ website, most: most + 1 }));
  for (const { website } of websites) ofWebsite.set(website, { sessions: [], areAll: true });
  const openers = [...openings].flatMap(([website, { most, openers }]) =>
    [...openers].map((opener) => ({ website, opener, most: most + 1 })),
  );
  for (const { website, opener } of openers) {
    ofOpener.set(openerKey(website, opener), { sessions: [], areAll: true });
  }
  const take = (
    list: { sessions: WaitingSession[]; areAll: boolean } | undefined,
    { id, expires_at }: WaitingRow,
    most: number,
  ): void => {
    if (list === undefined) return;
    list.sessions.push({ sessionId: id, expiresAt: expires_at });
    list.areAll = list.sessions.length < most;
  };
  ask<WaitingRow & { most: number }>(
    "read_waiting",
    `select s.* from unnest($1::bigint[], $2::bigint[]) k(website, most) cross join lateral
       (select k.website, k.most, id, expires_at from decline_session
        where website_id = k.website and ready_at is null order by number limit k.most) s`,
    [websites.map(({ website }) => website), websites.map(({ most }) => most)],
    (row) => take(ofWebsite.get(row.website), row, row.most),
  );
  if (openers.length === 0) return;
  ask<WaitingRow & { most: number }>(
    "read_waiting_of_openers",
    `select s.* from unnest($1::bigint[], $2::bytea[], $3::bigint[]) k(website, opener, most) cross join lateral
       (select k.website, k.opener, k.most, id, expires_at from decline_session
        where website_id = k.website and opener = k.opener and ready_at is null order by number limit k.most) s`,
    [
      openers.map(({ website }) => website),
      openers.map(({ opener }) => bytesOf(opener)),
      openers.map(({ most }) => most),
    ],
    (row) => take(ofOpener.get(openerKey(row.website, textOf(row.opener))), row, row.most),
  );
};

const askAnswers = (ask: Ask, read: ReadAhead, { answers, refused }: Reach): void => {
  if (answers.size > 0) {
    const keys = [...answers.values()];
    ask<KeptAnswer & { scope: string; key: string; version: string }>(
      "read_answers",
      `select a.* from unnest($1::text[], $2::text[]) k(scope, key) cross join lateral
         (select scope, key, fingerprint, answer_json as "answerJson", at, xmin::text as version
          from kept_answer where scope = k.scope and key = k.key offset 0) a`,
      [keys.map(({ scope }) => scope), keys.map(({ key }) => key)],
      ({ scope, key, version, ...answer }) => read.answers.set(answerKey(scope, key), { answer, version }),
    );
  }
  if (refused.size > 0) {
    const hours = [...refused.values()];
    ask<{ subject: string; hour: number; code: string; detail: string }>(
      "read_refused",
      `select t.* from unnest($1::text[], $2::bigint[]) k(subject, hour) cross join lateral
         (select subject, hour, code, detail from trouble where subject = k.subject and hour = k.hour offset 0) t`,
      [hours.map(({ subject }) => subject), hours.map(({ hour }) => hour)],
      ({ subject, hour, code, detail }) =>
        read.refused.get(refusedKey(subject, hour))?.push({ code, detail }),
    );
  }
};
