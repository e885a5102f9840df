import { z } from "zod";
import { offerId, publicKey, requestId, websiteKey } from "./ids.ts";
import { countryCode, regionCode } from "./location.ts";
import { line } from "./text.ts";
import { longestPage, offerSlots, placements, surfaces } from "./words.ts";

const seen = {
  requestId,
  offerId,
  placement: z.enum(placements).optional(),
  /** From 1, within the placement. */
  position: z.int().min(1).max(1000).optional(),
  surface: z.enum(surfaces).optional(),
  pub: publicKey.optional(),
  website: websiteKey.optional(),
};

export const clientHints = z
  .object({
    /** CSS pixels. */
    viewportWidth: z.int().min(0).max(100_000).optional(),
    viewportHeight: z.int().min(0).max(100_000).optional(),
    devicePixelRatio: z.number().min(0).max(100).optional(),
    language: line(35).optional(),
    timezone: line(64).optional(),
    /** The largest share of the offer's pixels seen, 0 to 1. */
    visibleRatio: z.number().min(0).max(1).optional(),
    /** How long it was seen without a break, in milliseconds. */
    visibleMs: z.int().min(0).max(86_400_000).optional(),
  })
  .meta({ id: "ClientHints" });
export type ClientHints = z.infer<typeof clientHints>;

/** Body of POST /v1/events/impression. */
export const impressionBody = z
  .object({ ...seen, clientHints: clientHints.optional() })
  .meta({ id: "Impression" });
export type ImpressionBody = z.infer<typeof impressionBody>;

/** Body of POST /v1/events/drawn: which of the offers that were handed out stand in the page. */
export const drawnBody = z
  .object({
    requestId,
    offerIds: z
      .array(offerId)
      .min(1)
      .max(offerSlots.premium + offerSlots.standardMost),
    surface: z.enum(surfaces).optional(),
    pub: publicKey.optional(),
    website: websiteKey.optional(),
  })
  .meta({ id: "Drawn" });
export type DrawnBody = z.infer<typeof drawnBody>;

/** Body of POST /v1/events/click. `country` and `region` are advisory. */
export const clickBody = z
  .object({
    ...seen,
    country: countryCode.optional(),
    region: regionCode.optional(),
  })
  .meta({ id: "Click" });
export type ClickBody = z.infer<typeof clickBody>;

/** Body of POST /v1/events/dismiss: that of a click, but for the offer. */
export const dismissBody = clickBody.omit({ offerId: true }).meta({ id: "Dismiss" });
export type DismissBody = z.infer<typeof dismissBody>;

/** Body of POST /v1/events/snippet-ping. */
export const snippetPingBody = z
  .object({
    websiteKey,
    pub: publicKey.optional(),
    /** Origin and path of the page, without query or fragment. */
    url: line(longestPage)
      .regex(/^https?:\/\/[^?#]+$/, "must be an origin and a path, without query or fragment")
      .optional(),
    scriptVersion: z
      .string()
      .regex(/^[A-Za-z0-9.+_-]{1,32}$/, "must be a version such as 1.4.2")
      .meta({ maxLength: 32 })
      .optional(),
    surface: z.enum(surfaces).optional(),
  })
  .meta({ id: "SnippetPing" });
export type SnippetPingBody = z.infer<typeof snippetPingBody>;
