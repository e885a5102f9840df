import { z } from "zod";
import { languageTag } from "../locales.ts";
import { countryCode, regionCode } from "../location.ts";
import { serverOffersQuery } from "../server-offers.ts";
import { filledLine } from "../text.ts";
import {
  type BlockReason,
  deviceClasses,
  type EmptyReason,
  type GeoMode,
  type PayoutModel,
  payoutModels,
  type RemovalReason,
  type RuleLine,
  type Surface,
  surfaces,
} from "../words.ts";

/** Query of GET …/websites/:website/simulate. */
export const simulateQuery = z.object({
  /** `ZZ`: the visitor cannot be located. */
  country: countryCode,
  region: regionCode.optional(),
  surface: z.enum(surfaces).default("overlay"),
  /** Of a decline: the website's own word for why. */
  reason: filledLine(64).optional(),
  /** Left out: not known, as of a visitor whose browser does not say. */
  language: languageTag.optional(),
  device: z.enum(deviceClasses).optional(),
  /** The `draw` of an earlier answer, to have offers whose click rates are little known drawn in the same order again. */
  draw: z
    .string()
    .regex(/^[A-Za-z0-9_-]{16}$/, "must be the draw of an earlier answer")
    .optional(),
});
export type SimulateQuery = z.infer<typeof simulateQuery>;

/** An offer of the catalogue: where it would stand, or the first rule that removes it. One of the two is null. */
type LookedAtOffer = {
  offerId: string;
  brand: string;
  vertical: string;
  title: string;
  rank: number | null;
  removedBy: RemovalReason | null;
};

/** Answer of GET …/simulate. Nothing of it was recorded. */
export type SimulateAnswer = {
  websiteKey: string;
  country: string;
  region: string;
  surface: Surface;
  allowed: boolean;
  /** Null: the visitor is allowed, or has declined. */
  reason: BlockReason | null;
  rule: { line: RuleLine; mode: GeoMode; entry: string | null };
  emptyReason: EmptyReason | null;
  /** The ids of the offers in their places. */
  premium: string[];
  standard: string[];
  draw: string;
  catalogueVersion: number;
  /** The whole catalogue, but for what the operator keeps from the publisher, which operators alone are told. */
  offers: LookedAtOffer[];
  considered: number;
  removed: number;
};

/** Why a website never shows an offer, wherever its visitors are. */
export const keptAwayReasons = [
  "website_paused",
  "allowlist_empty",
  "own_brand",
  "offer_blocked",
  "brand_blocked",
  "vertical_blocked",
  "not_allowed",
] as const;
export type KeptAwayReason = (typeof keptAwayReasons)[number];

const { page, pageSize } = serverOffersQuery.shape;

/** Query of GET …/offers. */
export const dashOffersQuery = z.object({
  page,
  pageSize,
  /** Part of a title, brand, vertical or id. */
  search: filledLine(80).optional(),
  vertical: filledLine(40).optional(),
  payoutModel: z.enum(payoutModels).optional(),
  /** Offers that cover some of it. */
  country: countryCode.optional(),
});
export type DashOffersQuery = z.infer<typeof dashOffersQuery>;

/** An offer as a publisher sees it: without payout and budget. */
export type DashOffer = {
  offerId: string;
  brand: string;
  vertical: string;
  title: string;
  geoCoverage: readonly string[];
  payoutModel: PayoutModel;
  /** The publisher's websites; null: it may be shown there. */
  websites: { websiteKey: string; keptAwayBy: KeptAwayReason | null }[];
};

/** Answer of GET …/offers. */
export type DashOffers = {
  items: DashOffer[];
  page: number;
  pageSize: number;
  total: number;
  /** Every vertical among what some website may show, whatever was filtered by. */
  verticals: string[];
};
