import type { StoredApiKey } from "./api-key.ts";
import type { Offer, Website } from "./catalogue.ts";
import type { StoredSecret } from "./integration-secret.ts";

/** Rows of the catalogue that are new or have changed, at one version of it. */
export type CatalogueChanges = {
  version: number;
  websites: readonly Website[];
  offers: readonly Offer[];
  /** Revoked ones too: they end the copy in memory. */
  apiKeys: readonly StoredApiKey[];
  /** Revoked ones too. */
  secrets: readonly (StoredSecret & { revokedAt: number | null })[];
};

/** What one poll has found to be new; null: nothing. */
export type StoreChanges = {
  /** A long change comes in parts, of which only the last names the new version. */
  catalogue: CatalogueChanges | null;
  /** Of the UTC day of that number. */
  salts: readonly { day: number; salt: string }[] | null;
  /** The numbers of all offers that have less left than one of their events costs. */
  exhausted: readonly number[] | null;
};
