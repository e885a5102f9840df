import { z } from "zod";
import { requestId, websiteKey } from "./ids.ts";
import { location } from "./location.ts";
import { servedOffer } from "./offers.ts";
import { decisions, longestUserAgent } from "./words.ts";

/** The visitor as the publisher's own server saw them; without `ip` the caller's address is located. */
export const visitorQuery = {
  /** Needed when the key's publisher has several websites. */
  website: websiteKey.optional(),
  ip: z.union([z.ipv4(), z.ipv6()], "must be an IPv4 or IPv6 address").optional(),
  /** Whatever a browser sends, of which the beginning is enough. A query has 2048 bytes at most. */
  userAgent: z
    .string()
    .meta({ maxLength: 2048 })
    .transform((text) => text.slice(0, longestUserAgent))
    .optional(),
};

/** Query of GET /v1/decision with an API key. */
export const serverDecisionQuery = z.object(visitorQuery);
export type ServerDecisionQuery = z.infer<typeof serverDecisionQuery>;

const { id, vertical, brand, url } = servedOffer.shape;

export const offerSummary = z
  .object({ id, vertical, brand, url })
  .describe(
    "The chosen offer; absent when there is none. Its texts, with what the law asks for beside its link, are in `GET /v1/offers?requestId=…`.",
  );

export const serverDecisionAnswer = z.object({
  decision: z
    .enum(decisions)
    .describe(
      "`serve_overlay`: the visitor is shown an overlay of offers; `pass_through`: the page as it is.",
    ),
  ...location.shape,
  offer: offerSummary.optional(),
  requestId,
});
export type ServerDecisionAnswer = z.infer<typeof serverDecisionAnswer>;
