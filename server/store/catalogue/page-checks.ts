import type { Kysely } from "kysely";
import type { PageFinding } from "../../core/page-check.ts";
import { checkToldMs, type KeptCheck } from "../../core/website-tag-health.ts";
import type { Schema } from "../schema.ts";
import type { CatalogueHandle } from "./catalogue-handle.ts";

/**
 * Keeps what a look at a page of a website has found, in place of what the one before did, and of its address what stands
 * before the query. It is no change of the catalogue, and nobody's activity.
 */
export async function keepPageCheck(
  catalogue: CatalogueHandle,
  websiteKey: string,
  { url, findings, at }: KeptCheck,
): Promise<void> {
  const row = { url: url.replace(/[?#].*$/s, ""), findings_json: JSON.stringify(findings), at };
  await catalogue.transact((db) =>
    db
      .insertInto("page_check")
      .values({ website_key: websiteKey, ...row })
      .onConflict((on) => on.column("website_key").doUpdateSet(row))
      .execute(),
  );
}

/** What may still be told at `now` (milliseconds since the epoch) of the last checks of a publisher's websites, by their keys. */
export async function readPageChecks(
  db: Kysely<Schema>,
  publisherId: string,
  now: number,
): Promise<ReadonlyMap<string, KeptCheck>> {
  const rows = await db
    .selectFrom("page_check")
    .innerJoin("website", "website.key", "page_check.website_key")
    .selectAll("page_check")
    .where("website.publisher_id", "=", publisherId)
    .where("at", ">", now - checkToldMs)
    .execute();
  return new Map(
    rows.map(({ website_key: key, url, findings_json: json, at }) => {
      // Written by ourselves, above.
      const findings: readonly PageFinding[] = JSON.parse(json);
      return [key, { url, findings, at }];
    }),
  );
}
