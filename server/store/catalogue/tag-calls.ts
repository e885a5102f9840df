import type { PublisherId, WebsiteKey } from "@offers/contract/ids";
import type { Kysely } from "kysely";
import {
  type RefusedCall,
  type RefusedCallCode,
  readRefusedDetail,
  refusedCallCodes,
  websiteIdOf,
  websiteSubject,
} from "../../core/refused-call.ts";
import { coversOrigin } from "../../core/registered-origin.ts";
import { type HourOfLoads, usualDays } from "../../core/usual-loads.ts";
import type { Schema } from "../schema.ts";

/** A page that loaded the tag, the last one of its host. */
export type PingedPage = { at: number; page: string; host: string; scriptVersion: string };

/** What the service has noted of a website's tag; every moment in milliseconds since the epoch. */
export type TagCalls = {
  /** The last page that loaded the tag; null: none did. */
  lastPing: PingedPage | null;
  /** The same for each host, the newest first. */
  lastPages: PingedPage[];
  /** How often the tag was loaded, hour by hour, as far back as what is usual is told by; hours without a load are left out. */
  loads: HourOfLoads[];
  /** Calls for this website that were refused, */
  refused: { origin: string; code: RefusedCallCode; pub: string | null; at: number; times: number }[];
  /** and so many more, of whose origin nothing is known. */
  refusedOthers: number;
  /**
   * Calls from its pages that named another website; null: one that there is not. `isOwn`: of the same publisher;
   * `isShared`: the origin is the other website's, too.
   */
  elsewhere: {
    website: { key: WebsiteKey; name: string; isOwn: boolean } | null;
    origin: string;
    at: number;
    isShared: boolean;
  }[];
};

const dayMs = 24 * 60 * 60 * 1000;

/**
 * Reads what was noted of a website's tag from `since` (milliseconds since the epoch) on, but for the loads: two weeks of
 * them before the last page.
 */
export async function readTagCalls(db: Kysely<Schema>, key: WebsiteKey, since: number): Promise<TagCalls> {
  const website = await db
    .selectFrom("website")
    .select(["id", "publisher_id", "origins_json"])
    .where("key", "=", key)
    .executeTakeFirstOrThrow();
  const { id } = website;
  const own = {
    id,
    publisherId: website.publisher_id,
    origins: JSON.parse(website.origins_json) as string[],
  };
  const pings = await db
    .selectFrom("snippet_ping")
    // SQLite: what stands beside a maximum is of the row that has it.
    .select(({ fn }) => ["host", "url", "script_version", fn.max("last_at").as("at")])
    .where("website_id", "=", id)
    .where("last_at", ">=", since)
    .groupBy("host")
    .execute();
  const lastPages = pings
    .map(({ host, url, script_version, at }) => ({ at, page: url, host, scriptVersion: script_version }))
    .toSorted((one, other) => other.at - one.at);
  const [lastPing = null] = lastPages;
  const refused = await db
    .selectFrom("trouble")
    .select(({ fn }) => ["code", "detail", fn.max("last_at").as("at"), fn.sum<number>("times").as("times")])
    .where("subject", "=", websiteSubject(id))
    .where("last_at", ">=", since)
    .groupBy(["code", "detail"])
    .execute();
  return {
    lastPing,
    lastPages,
    loads: lastPing === null ? [] : await readLoads(db, id, lastPing.at - usualDays * dayMs),
    refused: refused.flatMap(({ code, detail, at, times }) =>
      isOfPages(code) ? [{ ...readRefusedDetail(detail), code, at, times: Number(times) }] : [],
    ),
    refusedOthers: refused.reduce((sum, row) => sum + (isOfPages(row.code) ? 0 : Number(row.times)), 0),
    elsewhere: [...(await refusedElsewhere(db, own, since)), ...(await pingsElsewhere(db, own, since))],
  };
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

type Own = { id: number; publisherId: PublisherId | string; origins: readonly string[] };

const readLoads = async (db: Kysely<Schema>, id: number, since: number): Promise<HourOfLoads[]> => {
  const rows = await db
    .selectFrom("snippet_ping")
    .select(({ fn }) => ["hour", fn.sum<number>("loads").as("loads")])
    .where("website_id", "=", id)
    .where("hour", ">=", since)
    .groupBy("hour")
    .orderBy("hour")
    .execute();
  return rows.map(({ hour, loads }) => ({ hour, loads: Number(loads) }));
};

const isOfPages = (code: string): code is RefusedCallCode => refusedCallCodes.some((known) => known === code);

/** Its own pages called for another website, and were refused there. */
const refusedElsewhere = async (
  db: Kysely<Schema>,
  { id, publisherId, origins }: Own,
  since: number,
): Promise<TagCalls["elsewhere"]> => {
  const rows = await db
    .selectFrom("trouble")
    .select(({ fn }) => ["subject", "detail", fn.max("last_at").as("at")])
    .where("last_at", ">=", since)
    .where("subject", "!=", websiteSubject(id))
    .where("code", "in", ["origin_not_registered", "wrong_public_key", "unknown_website"])
    .where(({ eb, or, and }) =>
      or(
        origins.map((origin) =>
          origin.includes("*")
            ? eb("detail", "like", `${origin.replace("*", "%")}%`)
            : // The origin alone, or a blank behind it: a range, which the index knows.
              and([eb("detail", ">=", origin), eb("detail", "<", `${origin}!`)]),
        ),
      ),
    )
    .groupBy(["subject", "detail"])
    .execute();
  const own = rows
    .map(({ subject, detail, at }) => ({
      websiteId: websiteIdOf(subject),
      origin: readRefusedDetail(detail).origin,
      at,
    }))
    .filter(({ origin }) => coversOrigin((one) => origins.includes(one), origin));
  const others = await db
    .selectFrom("website")
    .select(["id", "key", "name", "publisher_id"])
    .where(
      "id",
      "in",
      own.map(({ websiteId }) => websiteId),
    )
    .execute();
  const websites = new Map(
    others.map(({ id: other, key, name, publisher_id }) => [
      other,
      { key: key as WebsiteKey, name, isOwn: publisher_id === publisherId },
    ]),
  );
  return own.map(({ websiteId, origin, at }) => ({
    website: websites.get(websiteId) ?? null,
    origin,
    at,
    isShared: false,
  }));
};

/** A page of an origin that two websites registered loads the tag of one, and nothing is refused. */
const pingsElsewhere = async (
  db: Kysely<Schema>,
  { id, publisherId, origins }: Own,
  since: number,
): Promise<TagCalls["elsewhere"]> => {
  const originOf = new Map(origins.map((origin) => [origin.slice(origin.indexOf("://") + 3), origin]));
  const rows = await db
    .selectFrom("snippet_ping")
    .innerJoin("website", "website.id", "snippet_ping.website_id")
    .select(({ fn }) => [
      "website.key",
      "website.name",
      "website.publisher_id",
      "host",
      fn.max("last_at").as("at"),
    ])
    .where("website_id", "!=", id)
    .where("host", "in", [...originOf.keys()])
    .where("last_at", ">=", since)
    .groupBy(["website_id", "host"])
    .execute();
  return rows.map(({ key, name, publisher_id, host, at }) => ({
    website: { key: key as WebsiteKey, name, isOwn: publisher_id === publisherId },
    origin: originOf.get(host) ?? host,
    at,
    isShared: true,
  }));
};
