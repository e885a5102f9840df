import type pg from "pg";
import type { KeptAnswer } from "../../core/idempotency.ts";
import { otherPages, pingedPagesKept } from "../../core/snippet-ping.ts";
import type { BudgetedOffer } from "../rows/budgets.ts";
import type { KnownOffer } from "./known-offers.ts";
import { type Statement, sendAll } from "./pipeline.ts";
import { answerKey, pageKey, pingedKey, type Reach, refusedKey } from "./reach.ts";
import { askBilled } from "./read-billed.ts";
import { askFacts } from "./read-facts.ts";
import type { Ask, ReadAhead } from "./read-rows.ts";
import { askSessions } from "./read-sessions.ts";
import { askSpends, askVisitorLocks, spendsOf } from "./read-spends.ts";

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
    pinged: new Map([...reach.pinged.keys()].map((key) => [key, { pages: new Set(), kept: null }])),
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
  askPinged(ask, read, reach);
  const { results, failed } = await sendAll(client, [
    "begin",
    ...questions.map(({ statement }) => statement),
  ]);
  if (failed !== null) throw failed.error;
  for (const [at, { take }] of questions.entries()) take(results[at + 1]?.rows ?? []);
  return read;
}

type Question = { statement: Statement; take: (rows: unknown[]) => void };
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

/** Most pages have their row already: only of an hour in which one has none the rows are counted. */
const askPinged = (ask: Ask, read: ReadAhead, { pinged }: Reach): void => {
  const pages = [...pinged.values()].flatMap(({ websiteId, hour, pages }) =>
    [...pages.values()].map(({ host, scriptVersion }) => ({ websiteId, hour, host, scriptVersion })),
  );
  if (pages.length === 0) return;
  ask<{ websiteId: number; hour: number; host: string; scriptVersion: string; kept: number | null }>(
    "read_pinged",
    `select k.website_id as "websiteId", k.hour, k.host, k.script_version as "scriptVersion",
       case when not exists (select 1 from snippet_ping p where p.website_id = k.website_id and p.host = k.host
         and p.script_version = k.script_version and p.hour = k.hour) then
         (select count(*) from (select 1 from snippet_ping p where p.website_id = k.website_id and p.hour = k.hour
            and p.host <> '${otherPages.host}' limit ${pingedPagesKept}) named) end as kept
     from unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[]) k(website_id, hour, host, script_version)`,
    [
      pages.map(({ websiteId }) => websiteId),
      pages.map(({ hour }) => hour),
      pages.map(({ host }) => host),
      pages.map(({ scriptVersion }) => scriptVersion),
    ],
    ({ websiteId, hour, kept, ...page }) => {
      const found = read.pinged.get(pingedKey(websiteId, hour));
      if (found === undefined) return;
      if (kept === null) found.pages.add(pageKey(page));
      else found.kept = kept;
    },
  );
};
