import { pageChecks } from "./0025-page-checks.ts";
import { slimRows } from "./0026-slim-rows.ts";
import { linksByUser } from "./0027-links-by-user.ts";
import { chunks } from "./0028-chunks.ts";
import { keysByUser } from "./0029-keys-by-user.ts";
import { oneWait } from "./0030-one-wait.ts";
import { databaseId } from "./0031-database-id.ts";
import { adjustments } from "./0032-adjustments.ts";
import { conversionRates } from "./0033-conversion-rates.ts";
import { websiteRates } from "./0034-website-rates.ts";
import { publishersOfOffers } from "./0035-publishers-of-offers.ts";
import type { Migration } from "./migration.ts";

/**
 * The steps from 0025 on, in order of their names, which begin with their numbers. What came before is told apart: SQLite has
 * 0001 to 0024, and PostgreSQL begins with what those came to (postgres/layout.ts). One that was ever released is never changed.
 */
export const migrations: Readonly<Record<`${number}-${string}`, Migration>> = {
  "0025-page-checks": pageChecks,
  "0026-slim-rows": slimRows,
  "0027-links-by-user": linksByUser,
  "0028-chunks": chunks,
  "0029-keys-by-user": keysByUser,
  "0030-one-wait": oneWait,
  "0031-database-id": databaseId,
  "0032-adjustments": adjustments,
  "0033-conversion-rates": conversionRates,
  "0034-website-rates": websiteRates,
  "0035-publishers-of-offers": publishersOfOffers,
};
