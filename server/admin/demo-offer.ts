import type { OfferInput } from "@offers/contract/catalogue";
import type { BrandSlug } from "./demo-brands.ts";

/** One offer of the demo, without what follows from its brand. */
export type DemoOffer = {
  /** The offer's id after `offer_`. */
  id: string;
  brand: BrandSlug;
  vertical: string;
  geo: readonly string[];
  model: OfferInput["payoutModel"];
  /** Micro-units; whole, never a float. */
  payoutMicros: number;
  title: string;
  description: string;
  cta: string;
  disclosure: string;
  terms: string;
  premium?: true;
  paused?: true;
  /** No image, so that the widget draws the brand's initials. */
  monogram?: true;
  caps?: Partial<
    Pick<OfferInput, "dailyBudgetMicros" | "totalBudgetMicros" | "dailyClickCap" | "totalClickCap">
  >;
};
