import type { WebsiteKey } from "@offers/contract/ids";
import { type Kysely, sql } from "kysely";
import {
  type RefusedCall,
  type RefusedCallCode,
  readRefusedDetail,
  refusedCallCodes,
  websiteSubject,
} from "../../core/refused-call.ts";
import { otherPages } from "../../core/snippet-ping.ts";
import {
  type HourOfLoads,
  hoursOfWeek,
  lastHeard,
  leastSilenceMs,
  usualDays,
} from "../../core/usual-loads.ts";
import { dayMs, hourMs } from "../../core/utc-day.ts";
import { text, whole } from "../dialects.ts";
import type { Schema } from "../schema.ts";
import { type CallElsewhere, type CalledWebsite, readCallsElsewhere } from "./calls-elsewhere.ts";

/** A page that loaded the tag, the last one of its host. */
export type PingedPage = { at: number; page: string; host: string; scriptVersion: string };

/** What the service has noted of a website's tag; every moment in milliseconds since the epoch. */
export type TagCalls = {
  /** The last page that loaded the tag; null: none did. */
  lastPing: PingedPage | null;
  /** The same for each host, the newest first. */
  lastPages: PingedPage[];
  /** When a page loaded it last that was not told apart, since its hour had too many; null: none did. */
  othersAt: number | null;
  /** How often the tag was loaded, hour by hour, as far back as what is usual is told by; hours without a load are left out. */
  loads: HourOfLoads[];
  /** Calls for this website that were refused, */
  refused: { origin: string; code: RefusedCallCode; pub: string | null; at: number; times: number }[];
  /** and so many more, of whose origin nothing is known. */
  refusedOthers: number;
  /** Calls from its pages that named another website. */
  elsewhere: CallElsewhere[];
};

/** How many websites one statement asks about at the most. */
const atOnce = 500;

/**
 * Reads what was noted of a website's tag from `since` (milliseconds since the epoch) on, but for the loads: two weeks of
 * them before the last page.
 */
export async function readTagCalls(db: Kysely<Schema>, key: WebsiteKey, since: number): Promise<TagCalls> {
  const [website] = await readWebsites(db, [key]);
  if (website === undefined) throw new Error(`there is no website ${key}`);
  const [calls] = await readCalls(db, [{ ...website, since }], null);
  if (calls === undefined) throw new Error(`nothing was read of website ${key}`);
  return calls;
}

/**
 * Of many websites at once, by their keys, what a verdict at `now` (milliseconds since the epoch) goes by, each from the
 * moment on at which it was made: the last pages of the last hour that had one; no call that was refused before the hour of its last page; of a website that
 * nobody can call quiet yet no load; and else one hour for each hour of the week, the first one, with all loads of it.
 */
export async function readManyTagCalls(
  db: Kysely<Schema>,
  keys: readonly WebsiteKey[],
  now: number,
): Promise<ReadonlyMap<WebsiteKey, TagCalls>> {
  const found = new Map<WebsiteKey, TagCalls>();
  for (let from = 0; from < keys.length; from += atOnce) {
    const websites = await readWebsites(db, keys.slice(from, from + atOnce));
    const calls = await readCalls(db, websites, { now });
    for (const [at, { key }] of websites.entries()) {
      const ofWebsite = calls[at];
      if (ofWebsite !== undefined) found.set(key, ofWebsite);
    }
  }
  return found;
}

/** How often calls with an API key were refused from `since` (milliseconds since the epoch) on, the newest code first. */
export async function readKeyRefusals(
  db: Kysely<Schema>,
  subject: RefusedCall["subject"],
  since: number,
): Promise<{ code: string; times: number; at: number }[]> {
  const rows = await db
    .selectFrom("trouble")
    .select(({ fn }) => ["code", fn.sum<number>("times").as("times"), fn.max("last_at").as("at")])
    .where("subject", "=", subject)
    .where("last_at", ">=", since)
    .groupBy("code")
    .execute();
  return rows
    .map(({ code, times, at }) => ({ code, times: Number(times), at }))
    .toSorted((one, other) => other.at - one.at);
}

const readWebsites = async (db: Kysely<Schema>, keys: readonly WebsiteKey[]): Promise<CalledWebsite[]> => {
  const rows = await db
    .selectFrom("website")
    .select(["id", "key", "publisher_id", "origins_json", "created_at"])
    .where("key", "in", keys)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    key: row.key as WebsiteKey,
    publisherId: row.publisher_id,
    origins: JSON.parse(row.origins_json) as string[],
    since: row.created_at,
  }));
};

/** In the order of the websites; `verdict`: what one at that moment does not go by is left out. */
const readCalls = async (
  db: Kysely<Schema>,
  websites: readonly CalledWebsite[],
  verdict: { now: number } | null,
): Promise<TagCalls[]> => {
  const read = verdict === null ? readPages : readLastPages;
  const pages = Map.groupBy(await read(db, websites), ({ websiteId }) => websiteId);
  const asked = websites.map(({ id, since }) => {
    const ofWebsite = (pages.get(id) ?? []).filter(({ at }) => at >= since);
    const lastPages = lastOfHosts(ofWebsite);
    const lastAt = lastPages[0]?.at ?? null;
    const others = ofWebsite.filter(({ host }) => host === otherPages.host).map(({ at }) => at);
    const othersAt = others.length === 0 ? null : Math.max(...others);
    return { id, since, lastPages, othersAt, lastAt, heardAt: lastHeard(lastAt, othersAt) };
  });
  const loads = await readLoads(
    db,
    asked.flatMap(({ id, heardAt }) =>
      heardAt === null || (verdict !== null && verdict.now - heardAt <= leastSilenceMs)
        ? []
        : [{ id, from: heardAt - usualDays * dayMs }],
    ),
    verdict === null ? "hour" : "hour of the week",
  );
  const refused = await readRefused(
    db,
    asked.map(({ id, since, lastAt }) => ({
      ...{ id, since },
      fromHour: verdict === null || lastAt === null ? 0 : lastAt - (lastAt % hourMs),
    })),
  );
  const elsewhere = await readCallsElsewhere(db, websites);
  return asked.map(({ id, lastPages, othersAt }) => {
    const own = refused.get(id) ?? [];
    return {
      lastPing: lastPages[0] ?? null,
      lastPages,
      othersAt,
      loads: loads.get(id) ?? [],
      refused: own.flatMap(({ code, detail, at, times }) =>
        isOfPages(code) ? [{ ...readRefusedDetail(detail), code, at, times }] : [],
      ),
      refusedOthers: own.reduce((sum, { code, times }) => sum + (isOfPages(code) ? 0 : times), 0),
      elsewhere: elsewhere.get(id) ?? [],
    };
  });
};

/** So many hosts are read of a website: under a wildcard anybody may make them up. */
const mostHosts = 200;

/**
 * The last page of each host, of registered hosts first and then of those with the newest, and the row without a page.
 * Anybody may make up versions, too: of one host they are one, and one row.
 */
const readPages = async (
  db: Kysely<Schema>,
  websites: readonly CalledWebsite[],
): Promise<(PingedPage & { websiteId: number })[]> => {
  // What was not told apart comes first as well: it is one row, and nobody's host.
  const registered = [otherPages.host, ...websites.flatMap(({ origins }) => origins.map(hostOf))];
  const rows = await db
    .selectFrom((of) =>
      of
        .selectFrom((hosts) =>
          hosts
            .selectFrom("snippet_ping")
            .select(({ fn }) => ["website_id", "host", fn.max("hour").as("hour")])
            .where(
              "website_id",
              "in",
              websites.map(({ id }) => id),
            )
            .groupBy(["website_id", "host"])
            .orderBy(sql`case when host in (${sql.join(registered)}) then 0 else 1 end`)
            .orderBy("hour", "desc")
            .orderBy("host")
            .limit(mostHosts + 1)
            .as("last"),
        )
        .innerJoin("snippet_ping as ping", (join) =>
          join
            .onRef("ping.website_id", "=", "last.website_id")
            .onRef("ping.host", "=", "last.host")
            .onRef("ping.hour", "=", "last.hour"),
        )
        .select(["ping.website_id", "ping.host", "ping.script_version", "ping.url", "ping.last_at"])
        .select(({ fn }) =>
          fn
            .agg<number>("row_number")
            .over((of) =>
              of
                .partitionBy(["ping.website_id", "ping.host"])
                .orderBy("ping.last_at", "desc")
                .orderBy("ping.script_version"),
            )
            .as("place"),
        )
        .as("page"),
    )
    .select(["website_id", "host", "script_version", "url", "last_at"])
    .where("place", "=", 1)
    .execute();
  return rows.map(({ website_id, host, script_version, url, last_at }) => ({
    websiteId: website_id,
    at: last_at,
    page: url,
    host,
    scriptVersion: script_version,
  }));
};

/** The pings of each website's last hour that has any: one look into the index for each website, however long pings are kept. */
const readLastPages: typeof readPages = async (db, websites) => {
  if (websites.length === 0) return [];
  const { rows } = await sql<PingedPage & { websiteId: number }>`
    with asked (id) as (values ${sql.join(websites.map(({ id }) => sql`(${whole(id)})`))}),
      last (id, hour) as (
        select id, (select max(hour) from snippet_ping where website_id = asked.id) from asked
      )
    select last.id as "websiteId", last_at as at, url as page, host, script_version as "scriptVersion"
    from last cross join snippet_ping as ping
    where ping.website_id = last.id and ping.hour = last.hour
    order by last.id, host, script_version`.execute(db);
  return rows;
};

/** The newest first, one of each host; what was not told apart is none. */
const lastOfHosts = (pages: readonly (PingedPage & { websiteId: number })[]): PingedPage[] => {
  const hosts = new Set<string>([otherPages.host]);
  return pages
    .toSorted((one, other) => other.at - one.at)
    .filter(({ host }) => !hosts.has(host) && hosts.add(host))
    .map(({ websiteId: _, ...page }) => page);
};

/** Of a wildcard it is no host that any page has. */
const hostOf = (origin: string): string => origin.slice(origin.indexOf("://") + 3);

type Refused = { code: string; detail: string; at: number; times: number };

const readRefused = async (
  db: Kysely<Schema>,
  asked: readonly { id: number; since: number; fromHour: number }[],
): Promise<ReadonlyMap<number, Refused[]>> => {
  if (asked.length === 0) return new Map();
  const values = asked.map(
    (one) =>
      sql`(${whole(one.id)}, ${text(websiteSubject(one.id))}, ${whole(one.since)}, ${whole(one.fromHour)})`,
  );
  // `cross join` keeps the order: each website's rows are found by the key.
  const { rows } = await sql<Refused & { id: number }>`
    with asked (id, subject, since, from_hour) as (values ${sql.join(values)})
    select asked.id, code, detail, max(last_at) as at, sum(times) as times
    from asked cross join trouble
    where trouble.subject = asked.subject and hour >= from_hour and last_at >= since
    group by asked.id, code, detail order by asked.id, code, detail`.execute(db);
  return Map.groupBy(
    rows.map((row) => ({ ...row, times: Number(row.times) })),
    ({ id }) => id,
  );
};

const readLoads = async (
  db: Kysely<Schema>,
  asked: readonly { id: number; from: number }[],
  unit: "hour" | "hour of the week",
): Promise<ReadonlyMap<number, HourOfLoads[]>> => {
  if (asked.length === 0) return new Map();
  const values = asked.map(({ id, from }) => sql`(${whole(id)}, ${whole(from)})`);
  const group = unit === "hour" ? sql`hour` : sql`(hour / ${sql.lit(hourMs)}) % ${sql.lit(hoursOfWeek)}`;
  const { rows } = await sql<HourOfLoads & { id: number }>`
    with asked (id, start) as (values ${sql.join(values)})
    select asked.id, min(hour) as hour, sum(loads) as loads
    from asked cross join snippet_ping
    where website_id = asked.id and hour >= start
    group by asked.id, ${group} order by asked.id, min(hour)`.execute(db);
  const found = Map.groupBy(rows, ({ id }) => id);
  return new Map(
    [...found].map(([id, ofWebsite]) => [
      id,
      ofWebsite.map(({ hour, loads }) => ({ hour, loads: Number(loads) })),
    ]),
  );
};

const isOfPages = (code: string): code is RefusedCallCode => refusedCallCodes.some((known) => known === code);
