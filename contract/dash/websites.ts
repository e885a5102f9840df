import { z } from "zod";
import { allowlist, type GeoRule, geoRule, type WebsiteSettings, websiteInput } from "../catalogue.ts";
import type { PublicKey, WebsiteKey } from "../ids.ts";
import { filledLine } from "../text.ts";
import type { PayoutModel, SecretCarrier } from "../words.ts";

/** Query of GET …/address: a page's address as somebody copies it from a browser. */
export const pastedAddress = z.object({ address: filledLine(2048) });

/** What an address would be set up with. */
export type ReadAddress = {
  origins: string[];
  name: string;
  isOnThisMachine: boolean;
  /** Why it cannot be registered, as a rule without its subject (“must be …”); null: it can. */
  wrong: string | null;
};

/** Body of POST …/websites. */
export const newWebsite = z.object({
  address: filledLine(2048),
  /** Left out: both that the address stands for, with `www.` and without. */
  origins: websiteInput.shape.origins.optional(),
  name: filledLine(120).optional(),
  vertical: websiteInput.shape.vertical.optional(),
  geoRule: geoRule.optional(),
});

export type MadeWebsite = {
  websiteKey: WebsiteKey;
  publicKey: PublicKey;
  origins: string[];
  development: boolean;
};

/**
 * Body of PATCH …/websites/:website: what is to be changed of it, by RFC 7396. It is checked with the website as a whole, since what one
 * member may be depends on others.
 */
export const websitePatch = z.looseObject({});

/** Answer of GET …/websites/:website, and of what changes it. */
export type DashWebsite = {
  websiteKey: WebsiteKey;
  publicKey: PublicKey;
  name: string;
  vertical: string;
  ownBrand: string;
  development: boolean;
  paused: boolean;
  origins: readonly string[];
  geoRule: GeoRule;
  settings: WebsiteSettings;
  floor: { micros: number; currency: string };
  /** Null: its publisher's, and to all but operators. */
  shareBasisPoints: number | null;
  secretCarrier: SecretCarrier;
  createdAt: number;
  /** For `If-Match`. */
  version: number;
};

/** Body of DELETE …/websites/:website: its name, typed by whoever means it. */
export const typedName = z.object({ name: z.string().max(200) });

/** Body of PUT …/allowlist, and of POST …/allowlist/preview. */
export const allowlistBody = allowlist;

/** What an allowlist permits. Budgets, schedules and floor prices are not asked. */
export type AllowlistCount = {
  /** Active offers, */
  active: number;
  /** and how many of them are permitted. */
  permitted: number;
  /**
   * Where the website blocks visitors, and how many permitted offers cover each place: the places of its rule, or, where the
   * rule names those that see the page, all others that an offer names; `*`: everywhere else, `ZZ`: where the location is unknown.
   */
  places: { place: string; offers: number }[];
};

/** An offer as those choose by it who never see prices. */
export type TreeOffer = { offerId: string; title: string; payoutModel: PayoutModel; geoCoverage: string[] };

/** Answer of GET …/allowlist. */
export type AllowlistAnswer = {
  allowlist: z.infer<typeof allowlist>;
  version: number;
  count: AllowlistCount;
  /** The verticals that a new website would block: those of gambling, trading and loans, whatever offers call them. */
  careful: string[];
  /** Active offers, without those of the website's own brand, which it never shows. */
  verticals: { vertical: string; brands: { brand: string; offers: TreeOffer[] }[] }[];
};

export type SavedAllowlistAnswer = { version: number; count: AllowlistCount; warnings: string[] };

/** A secret as it may be shown; times are milliseconds since the epoch. */
export type DashSecret = { secretId: string; lastFour: string; createdAt: number; revokedAt: number | null };

/** Answer of GET …/secrets. */
export type SecretsAnswer = { items: DashSecret[]; secretCarrier: SecretCarrier; version: number };

/** A secret at the one moment at which it can be read. */
export type MadeSecret = { secretId: string; secret: string };

/** Answer of POST …/preview: the page that shows the website's overlay as it is, for some minutes. */
export type PreviewLink = { link: string; expiresAt: number };
