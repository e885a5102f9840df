import { z } from "zod";
import { durationWords } from "./duration-words.ts";
import { requestLifetimes } from "./words.ts";

/** An identifier is its prefix and up to `max` characters that need no escaping in a URL. */
const prefixed = (prefix: string, description: string, max = 64) =>
  z
    .string()
    .regex(
      new RegExp(`^${prefix}_[A-Za-z0-9_-]{1,${max}}$`),
      `must be ${prefix}_ followed by letters, digits, - or _`,
    )
    // For readers of the document alone: the pattern refuses what is longer, with one message.
    .meta({ maxLength: prefix.length + 1 + max, description });

export const publisherId = prefixed("publisher", "Names a publisher.").brand<"PublisherId">();
export type PublisherId = z.infer<typeof publisherId>;

export const publicKey = prefixed(
  "pub",
  "The publisher's public key: it names the publisher in a page's source, and is no secret.",
).brand<"PublicKey">();
export type PublicKey = z.infer<typeof publicKey>;

export const websiteKey = prefixed(
  "ws",
  "The website's key: it names the website in a page's source, and is no secret.",
).brand<"WebsiteKey">();
export type WebsiteKey = z.infer<typeof websiteKey>;

export const advertiserId = prefixed("advertiser", "Names an advertiser.").brand<"AdvertiserId">();
export type AdvertiserId = z.infer<typeof advertiserId>;

export const offerId = prefixed("offer", "Names the offer.").brand<"OfferId">();
export type OfferId = z.infer<typeof offerId>;

export const eventId = prefixed(
  "evt",
  "Names the stored event; `GET /v1/explain` takes it.",
).brand<"EventId">();
export type EventId = z.infer<typeof eventId>;

export const requestId = prefixed(
  "req",
  `Names the visit: it fetches offers for ${durationWords(requestLifetimes.offersSeconds)}, and carries events and clicks for ${durationWords(requestLifetimes.eventsSeconds)}. Sealed by the service: what is inside is for the service alone.`,
  400,
).brand<"RequestId">();
export type RequestId = z.infer<typeof requestId>;

/** Those that the service makes hold 128 random bits, so that nobody finds another visitor's. */
export const sessionId = prefixed("dcl", "Names the decline session.").brand<"SessionId">();
export type SessionId = z.infer<typeof sessionId>;

/** What the advertiser knows a click by: the `{click_id}` of its landing page, 16 bytes in their one spelling. */
export const clickId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{21}[AQgw]$/, "must be the id of a click, 22 letters, digits, - or _")
  .meta({ maxLength: 22 })
  .brand<"ClickId">();

/** The token of the click hop, as it stands in `/v1/r?t=`. */
export const clickToken = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,600}$/, "must be a token that this service handed out")
  .meta({ maxLength: 600 })
  .brand<"ClickToken">();
export type ClickToken = z.infer<typeof clickToken>;
