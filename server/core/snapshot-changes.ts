import type { StoredApiKey } from "./api-key.ts";
import type { CatalogueRows } from "./catalogue.ts";
import type { RateChanges } from "./click-rates.ts";
import type { StoredSecret } from "./integration-secret.ts";
import type { PacedSpend } from "./pacing.ts";

/** What a change of the catalogue touched: new or changed rows, at one version. */
export type CatalogueChanges = CatalogueRows & {
  /** Revoked ones too, so that whoever knows them forgets them. */
  apiKeys: readonly StoredApiKey[];
  secrets: readonly (StoredSecret & { isRevoked: boolean })[];
};

/** What calls are answered from, in so far as it has changed since it was last read; no part, or null: not at all. */
export type SnapshotChanges = {
  /** In parts, so that a whole catalogue is never in one piece; each names the version that all of them make. */
  catalogue: readonly CatalogueChanges[];
  /** All that are kept, oldest first. `day`: a UTC day number. */
  salts: readonly { day: number; salt: string }[] | null;
  /** The numbers of all offers that have less left than one of their events costs. */
  exhausted: readonly number[] | null;
  /** All offers whose budget is spread over the day. */
  paced: readonly PacedSpend[] | null;
  /** Those that are new: visitors who are not to be shown the overlay again on the day of `at`, oldest first. */
  dismissed: readonly { visitor: string; at: number }[];
  /** New and changed counts of events that click rates are made of. */
  rates: RateChanges | null;
};
