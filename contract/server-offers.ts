import { z } from "zod";
import { offerId, requestId } from "./ids.ts";
import { languageWishes } from "./locales.ts";
import { countryCode } from "./location.ts";
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

export const catalogueItem = z.object({
  id: offerId,
  vertical: z.string(),
  brand: z.string(),
  geoCoverage: z.array(z.string()).max(300),
  payoutModel: z.enum(payoutModels),
  title: z.string(),
  /** The title's language tag; `""`: it is not said. */
  lang: z.string(),
  /** The tracking address; absent where no visit was named. */
  url: z.url().optional(),
});

export type CatalogueItem = z.infer<typeof catalogueItem>;

export const serverOffersAnswer = z.object({
  items: z.array(catalogueItem).max(pageSizes.most),
  page: z.int(),
  pageSize: z.int(),
  total: z.int(),
});
export type ServerOffersAnswer = z.infer<typeof serverOffersAnswer>;
