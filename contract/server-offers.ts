import { z } from "zod";
import { requestId } from "./ids.ts";
import { languageWishes } from "./locales.ts";
import { countryCode } from "./location.ts";
import { servedOffer } from "./offers.ts";
import { visitorQuery } from "./server-decision.ts";
import { filledLine } from "./text.ts";
import { payoutModels } from "./words.ts";

export const pageSizes = { usual: 50, most: 100 } as const;

const wholeNumber = (most: number) =>
  z
    .string()
    .regex(/^[1-9][0-9]{0,8}$/, `must be a whole number from 1 to ${most}`)
    .transform(Number)
    .pipe(z.int().max(most, `must be at most ${most}`));

/** Query of GET /v1/offers with an API key. */
export const serverOffersQuery = z.object({
  page: wholeNumber(1_000_000).default(1),
  pageSize: wholeNumber(pageSizes.most).default(pageSizes.usual),
  website: visitorQuery.website,
  ip: visitorQuery.ip,
  country: countryCode.optional(),
  vertical: filledLine(40).optional(),
  brand: filledLine(80).optional(),
  payoutModel: z.enum(payoutModels).optional(),
  lang: languageWishes,
  /** Of a decision: its website, its place, and links whose clicks are that visit's. */
  requestId: requestId.optional(),
});
export type ServerOffersQuery = z.infer<typeof serverOffersQuery>;

const { id, vertical, brand, url, ...said } = servedOffer.omit({ placement: true, position: true }).shape;

export const catalogueItem = z.object({
  id,
  vertical,
  brand,
  geoCoverage: z
    .array(z.string())
    .max(300)
    .describe("The countries (`DE`) and regions (`US-NJ`) that it is for, or `*` for anywhere."),
  payoutModel: z
    .enum(payoutModels)
    .describe(
      "What the advertiser pays for: a click (CPC), a thousand impressions (CPM), an action (CPA), a lead (CPL), or a share " +
        "of a sale (REVSHARE).",
    ),
  ...said,
  url: url.describe("The tracking URL on this service; absent where no visit was named.").optional(),
});

export type CatalogueItem = z.infer<typeof catalogueItem>;

export const serverOffersAnswer = z.object({
  items: z
    .array(catalogueItem)
    .max(pageSizes.most)
    .describe("The offers of this page, in the order of their ids."),
  page: z.int().describe("Which page it is, from 1."),
  pageSize: z.int().describe("How many offers a page has at the most."),
  total: z.int().describe("How many offers all pages have."),
});
export type ServerOffersAnswer = z.infer<typeof serverOffersAnswer>;
