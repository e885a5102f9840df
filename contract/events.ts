import { z } from "zod";
import { offerId, publicKey, requestId, websiteKey } from "./ids.ts";
import { countryCode, regionCode } from "./location.ts";
import { line } from "./text.ts";
import { longestPage, offerSlots, placements, surfaces } from "./words.ts";

const surface = z.enum(surfaces).describe("Which part of the page shows the offers.").optional();

/** Whose page it is: in the body, or in the query. */
const keys = { pub: publicKey.optional(), website: websiteKey.optional() };

const seen = {
  requestId,
  offerId,
  placement: z
    .enum(placements)
    .describe("Where in the answer, and so on the screen, the offer stands.")
    .optional(),
  position: z.int().min(1).max(1000).describe("From 1, within the placement.").optional(),
  surface,
  ...keys,
};

export const clientHints = z
  .object({
    viewportWidth: z
      .int()
      .min(0)
      .max(100_000)
      .describe("Width of what is seen of the page, in CSS pixels; kept to the nearest 50.")
      .optional(),
    viewportHeight: z
      .int()
      .min(0)
      .max(100_000)
      .describe("Its height, in CSS pixels; kept to the nearest 50.")
      .optional(),
    devicePixelRatio: z
      .number()
      .min(0)
      .max(100)
      .describe("Pixels of the device to a CSS pixel, along a side; kept to the nearest half.")
      .optional(),
    language: line(35).describe("Taken, and not kept: the browser's language tag.").optional(),
    timezone: line(64).describe("Taken, and not kept: the IANA name of the browser's time zone.").optional(),
    visibleRatio: z
      .number()
      .min(0)
      .max(1)
      .describe("The largest share of the offer's pixels seen, 0 to 1.")
      .optional(),
    visibleMs: z
      .int()
      .min(0)
      .max(86_400_000)
      .describe("How long it was seen without a break, in milliseconds.")
      .optional(),
  })
  .meta({ id: "ClientHints", description: "How the page was seen, in the browser's words." });
export type ClientHints = z.infer<typeof clientHints>;

/** Body of POST /v1/events/impression. */
export const impressionBody = z
  .object({ ...seen, clientHints: clientHints.optional() })
  .meta({ id: "Impression" });
export type ImpressionBody = z.infer<typeof impressionBody>;

/** Body of POST /v1/events/drawn. */
export const drawnBody = z
  .object({
    requestId,
    offerIds: z
      .array(offerId)
      .min(1)
      .max(offerSlots.premium + offerSlots.standardMost)
      .describe("Which of the offers that were handed out stand in the page."),
    surface,
    ...keys,
  })
  .meta({ id: "Drawn" });
export type DrawnBody = z.infer<typeof drawnBody>;

/** Body of POST /v1/events/click. */
export const clickBody = z
  .object({
    ...seen,
    country: countryCode
      .describe("ISO 3166-1 alpha-2; advisory, as the visitor's address is located.")
      .optional(),
    region: regionCode.describe("ISO 3166-2; advisory like `country`.").optional(),
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
    url: line(longestPage)
      .regex(/^https?:\/\/[^?#]+$/, "must be an origin and a path, without query or fragment")
      .describe(
        "Origin and path of the page, without query or fragment; kept where it lies at the call's origin, and up to what may name a visitor.",
      )
      .optional(),
    scriptVersion: z
      .string()
      .regex(/^[A-Za-z0-9.+_-]{1,32}$/, "must be a version such as 1.4.2")
      .meta({
        maxLength: 32,
        description: "The version of the script that the page runs; kept where it is three numbers.",
      })
      .optional(),
    surface,
  })
  .meta({ id: "SnippetPing" });
export type SnippetPingBody = z.infer<typeof snippetPingBody>;
