import type { Allowlist, FloorPrice, GeoRule, OfferInput, WebsiteSettings } from "@offers/contract/catalogue";
import type { AdvertiserId, OfferId, PublicKey, PublisherId, WebsiteKey } from "@offers/contract/ids";
import type { SecretCarrier } from "@offers/contract/words";

/** A website as the routes see it, joined with its publisher's public key. */
export type Website = {
  /** The row's number: short enough to stand in every event and requestId. */
  id: number;
  key: WebsiteKey;
  publisherId: PublisherId;
  publicKey: PublicKey;
  name: string;
  vertical: string;
  /** `""`: the website is no brand of its own. */
  ownBrand: string;
  development: boolean;
  /** Its pages are answered as if every visitor were allowed, and it shows no offer. */
  paused: boolean;
  /** Canonical origins, `https://*.example.com` among them. */
  origins: readonly string[];
  geoRule: GeoRule;
  allowlist: Allowlist;
  settings: WebsiteSettings;
  floor: FloorPrice;
  /** What the publisher earns here of each price, 0 to 10000; null: by the publisher's own share. */
  shareBasisPoints: number | null;
  /** In which of its three places a call of its own server has to carry the integration secret. */
  secretCarrier: SecretCarrier;
  /** Deleted by its publisher: nobody reaches it by its key, and what counted on it goes on counting. */
  archived?: true;
};

export type OfferStatus = "active" | "paused";

export type Offer = Omit<OfferInput, "advertiserId"> & {
  /** The row's number, from 1: what every event names the offer by. */
  number: number;
  id: OfferId;
  advertiserId: AdvertiserId;
  status: OfferStatus;
};

/**
 * What one unit of a currency is worth in the one that offers are compared in, above 0. It ranks offers, and bills
 * nothing.
 */
export type CurrencyRates = ReadonlyMap<string, number>;

/** Rows of the catalogue as the store reads them, at one version. */
export type CatalogueRows = {
  version: number;
  /** Whether everything that there is comes in these rows and those behind them: what was known before is forgotten first. */
  beginsAnew?: boolean;
  websites: readonly Website[];
  offers: readonly Offer[];
  /** All of them; absent: they stand as they were. */
  currencies?: CurrencyRates;
};
