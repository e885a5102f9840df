import type { WebsiteKey } from "@offers/contract/ids";
import { type Kysely, sql } from "kysely";
import { type RefusedSubject, readRefusedDetail, websiteIdOf } from "../../core/refused-call.ts";
import { coversOrigin } from "../../core/registered-origin.ts";
import { text, whole } from "../dialects.ts";
import type { Schema } from "../schema.ts";

/** A website whose pages may have called for another one, from `since` (milliseconds since the epoch) on. */
export type CalledWebsite = {
  id: number;
  key: WebsiteKey;
  publisherId: string;
  origins: readonly string[];
  since: number;
};

/**
 * A call from a website's pages that named another one; null: one that there is not. `isOwn`: of the same publisher;
 * `isShared`: the origin is the other website's, too; `at` in milliseconds since the epoch.
 */
export type CallElsewhere = {
  website: { key: WebsiteKey; name: string; isOwn: boolean } | null;
  origin: string;
  at: number;
  isShared: boolean;
};

/** How many origins one statement looks for at the most. */
const originsAtOnce = 200;

/** What pages of these websites asked of others, by the website's number. */
export async function readCallsElsewhere(
  db: Kysely<Schema>,
  websites: readonly CalledWebsite[],
): Promise<ReadonlyMap<number, CallElsewhere[]>> {
  const holders = holdersOf(websites);
  const calls = [...(await refusedElsewhere(db, websites, holders)), ...(await pingsElsewhere(db, holders))];
  const others = await readOthers(
    db,
    calls.map(({ websiteId }) => websiteId),
  );
  const found = Map.groupBy(calls, ({ own }) => own.id);
  return new Map(
    [...found].map(([id, ofWebsite]) => [
      id,
      ofWebsite.map(({ own, websiteId, origin, at, isShared }) => {
        const other = others.get(websiteId);
        const website = other && {
          key: other.key,
          name: other.name,
          isOwn: other.publisherId === own.publisherId,
        };
        return { website: website ?? null, origin, at, isShared };
      }),
    ]),
  );
}

type Call = { own: CalledWebsite; websiteId: number; origin: string; at: number; isShared: boolean };
type Holders = ReadonlyMap<string, readonly CalledWebsite[]>;

/** Which of the websites have registered an origin, itself or a wildcard, word for word. */
const holdersOf = (websites: readonly CalledWebsite[]): Holders => {
  const holders = new Map<string, CalledWebsite[]>();
  for (const website of websites) {
    for (const origin of website.origins) holders.set(origin, [...(holders.get(origin) ?? []), website]);
  }
  return holders;
};

/** Their own pages called for another website, and were refused there. */
const refusedElsewhere = async (
  db: Kysely<Schema>,
  websites: readonly CalledWebsite[],
  holders: Holders,
): Promise<Call[]> => {
  const registered = [...holders.keys()];
  const since = Math.min(...websites.map((one) => one.since));
  const calls: Call[] = [];
  const seen = new Set<string>();
  for (let from = 0; from < registered.length; from += originsAtOnce) {
    const some = registered.slice(from, from + originsAtOnce);
    // A wildcard's begins after its scheme; all others are the origin alone, or a blank behind it.
    const values = some.map((origin) => {
      const [start = "", end] = origin.split("*");
      const beyond = end === undefined ? `${start}!` : `${start}~`;
      return sql`(${text(start)}, ${text(beyond)}, ${text(`${origin.replace("*", "%")}%`)})`;
    });
    const { rows } = await sql<{ subject: RefusedSubject; detail: string; at: number }>`
      with own (start, beyond, pattern) as (values ${sql.join(values)})
      select subject, detail, max(last_at) as at
      from own cross join trouble
      where detail >= start and detail < beyond and detail like pattern and last_at >= ${since}
        and code in ('origin_not_registered', 'wrong_public_key', 'unknown_website')
      group by subject, detail order by subject, detail`.execute(db);
    for (const { subject, detail, at } of rows) {
      // What a wildcard has found may be found again by the origin itself.
      if (seen.has(`${subject} ${detail}`)) continue;
      seen.add(`${subject} ${detail}`);
      const { origin } = readRefusedDetail(detail);
      const websiteId = websiteIdOf(subject);
      for (const own of coveringWebsites(holders, origin)) {
        if (own.id !== websiteId && at >= own.since)
          calls.push({ own, websiteId, origin, at, isShared: false });
      }
    }
  }
  return calls;
};

/** Which of the websites registered what an `Origin` header says. */
const coveringWebsites = (holders: Holders, header: string): ReadonlySet<CalledWebsite> => {
  const found = new Set<CalledWebsite>();
  const covering: string[] = [];
  // Of one website an origin is enough; of many every text that would cover it is asked for.
  coversOrigin((text) => {
    if (holders.has(text)) covering.push(text);
    return false;
  }, header);
  for (const text of covering) {
    if (!coversOrigin((one) => one === text, header)) continue;
    for (const website of holders.get(text) ?? []) found.add(website);
  }
  return found;
};

/** A page of an origin that two websites registered loads the tag of one, and nothing is refused. */
const pingsElsewhere = async (db: Kysely<Schema>, holders: Holders): Promise<Call[]> => {
  const asked = [...holders].flatMap(([origin, of]) =>
    of.map((own) => ({ own, origin, host: origin.slice(origin.indexOf("://") + 3) })),
  );
  const calls: Call[] = [];
  for (let from = 0; from < asked.length; from += originsAtOnce) {
    const some = asked.slice(from, from + originsAtOnce);
    const values = some.map(({ own, host }, at) => sql`(${whole(at)}, ${whole(own.id)}, ${text(host)})`);
    // Two ranges of the index, between which its own pages are: those nobody reads.
    const { rows } = await sql<{ at: number; other: number; last_at: number }>`
      with own (at, id, host) as (values ${sql.join(values)}),
        last (at, host, other, hour) as (
          select at, own.host, website_id, max(hour) from own cross join snippet_ping as ping
          where ping.host = own.host and website_id < own.id group by at, own.host, website_id
          union all
          select at, own.host, website_id, max(hour) from own cross join snippet_ping as ping
          where ping.host = own.host and website_id > own.id group by at, own.host, website_id
        )
      select at, other, max(last_at) as last_at
      from last cross join snippet_ping as ping
      where ping.website_id = other and ping.host = last.host and ping.hour = last.hour
      group by at, other order by at, other`.execute(db);
    for (const { at: index, other, last_at: at } of rows) {
      const one = some[index];
      if (one === undefined || at < one.own.since) continue;
      calls.push({ own: one.own, websiteId: other, origin: one.origin, at, isShared: true });
    }
  }
  return calls;
};

const readOthers = async (
  db: Kysely<Schema>,
  ids: readonly number[],
): Promise<ReadonlyMap<number, { key: WebsiteKey; name: string; publisherId: string }>> => {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("website")
    .select(["id", "key", "name", "publisher_id"])
    .where("id", "in", [...new Set(ids)])
    .execute();
  return new Map(
    rows.map(({ id, key, name, publisher_id }) => [
      id,
      { key: key as WebsiteKey, name, publisherId: publisher_id },
    ]),
  );
};
