import type { WebsiteKey } from "@offers/contract/ids";
import type { Kysely } from "kysely";
import type { RefusedCallCode } from "../../core/refused-call.ts";
import { coversOrigin } from "../../core/registered-origin.ts";
import type { Schema } from "../schema.ts";

/** What the service has noted of a website's tag; every moment in milliseconds since the epoch. */
export type TagCalls = {
  /** The last page that loaded the tag; null: none did. */
  lastPing: { at: number; page: string; scriptVersion: string } | null;
  /** Calls for this website that were refused. */
  refused: { origin: string; code: RefusedCallCode; at: number }[];
  /** Calls from its pages that named another website; null: one that there is not. `isShared`: the origin is its too. */
  elsewhere: { website: WebsiteKey | null; origin: string; at: number; isShared: boolean }[];
};

/** Reads what was noted of a website's tag from `since` (milliseconds since the epoch) on. */
export async function readTagCalls(db: Kysely<Schema>, key: WebsiteKey, since: number): Promise<TagCalls> {
  const { id, origins_json } = await db
    .selectFrom("website")
    .select(["id", "origins_json"])
    .where("key", "=", key)
    .executeTakeFirstOrThrow();
  const origins: readonly string[] = JSON.parse(origins_json);
  const ping = await db
    .selectFrom("snippet_ping")
    .select(["last_at", "url", "script_version"])
    .where("website_id", "=", id)
    .where("last_at", ">=", since)
    .orderBy("last_at", "desc")
    .executeTakeFirst();
  const refused = await db
    .selectFrom("refused_call")
    .leftJoin("website", "website.id", "refused_call.website_id")
    .select(["website_id", "website.key", "origin", "code", "last_at as at"])
    .where("last_at", ">=", since)
    .execute();
  const others = refused.filter(
    (row) =>
      row.website_id !== id &&
      row.code !== "rate_limited" &&
      coversOrigin((one) => origins.includes(one), row.origin),
  );
  return {
    lastPing: ping ? { at: ping.last_at, page: ping.url, scriptVersion: ping.script_version } : null,
    refused: refused
      .filter((row) => row.website_id === id)
      .map(({ origin, code, at }) => ({ origin, code, at })),
    elsewhere: [
      ...others.map(({ key: website, origin, at }) => ({
        website: website as WebsiteKey | null,
        origin,
        at,
        isShared: false,
      })),
      ...(await pingsElsewhere(db, id, origins, since)),
    ],
  };
}

/** A page of an origin that two websites registered loads the tag of one, and nothing is refused. */
const pingsElsewhere = async (
  db: Kysely<Schema>,
  id: number,
  origins: readonly string[],
  since: number,
): Promise<TagCalls["elsewhere"]> => {
  const originOf = new Map(origins.map((origin) => [origin.slice(origin.indexOf("://") + 3), origin]));
  const rows = await db
    .selectFrom("snippet_ping")
    .innerJoin("website", "website.id", "snippet_ping.website_id")
    .select(["website.key", "host", "last_at as at"])
    .where("website_id", "!=", id)
    .where("host", "in", [...originOf.keys()])
    .where("last_at", ">=", since)
    .execute();
  return rows.map(({ key, host, at }) => ({
    website: key as WebsiteKey,
    origin: originOf.get(host) ?? host,
    at,
    isShared: true,
  }));
};
