import { z } from "zod";
import { durationWords } from "./duration-words.ts";
import { eventId, offerId, requestId, websiteKey } from "./ids.ts";
import { countryCode } from "./location.ts";
import { openWord } from "./open-word.ts";
import { refusalReasons } from "./words.ts";

/** How far an event's own time may lie from the service's. */
export const eventWindow = { pastMs: 7 * 24 * 60 * 60 * 1000, aheadMs: 5 * 60 * 1000 } as const;

const [past, ahead] = [durationWords(eventWindow.pastMs / 1000), durationWords(eventWindow.aheadMs / 1000)];

/** What a problem says of a time outside that window, behind the name of its parameter. */
export const mustBeInWindow = `must be within the last ${past} and at most ${ahead} ahead`;

/**
 * RFC 3339 in UTC, written as `Z` or `+00:00`: a date that exists, seconds, and at most nine digits of a second. The
 * parsed value ends in `Z`.
 */
export const utcTimestamp = z.iso
  .datetime({
    offset: true,
    abort: true,
    error: "must be an RFC 3339 time in UTC such as 2026-01-31T23:59:59Z",
  })
  .regex(
    /:\d\d(\.\d{1,9})?(Z|\+00:00)$/,
    "must be in UTC (Z or +00:00) and have seconds, with at most nine digits after the point",
  )
  .meta({
    format: "date-time",
    maxLength: 35,
    description:
      "When it happened, in UTC: it ends in `Z` or `+00:00` and has at most nine digits after its seconds; " +
      `${past} back and ${ahead} ahead at the most. ` +
      "Left out: when the report comes. With a `requestId` it is moved to the " +
      "decision where it lies before that, and to the report's arrival where it lies after that.",
  })
  .transform((text) => text.replace("+00:00", "Z"));

/** Body of POST /v1/events. */
export const serverEventBody = z
  .object({
    type: z
      .enum(["served", "impression", "click"], "must be served, impression or click")
      .describe(
        "`served`: the offer was handed to the visitor; `impression`: it was seen; `click`: its link was followed.",
      ),
    websiteKey,
    offerId,
    country: countryCode
      .describe(
        "ISO 3166-1 alpha-2: where the visitor is. Beside a `requestId` the place of its decision counts.",
      )
      .optional(),
    ts: utcTimestamp.optional(),
    requestId: requestId
      .describe(
        "Of the decision that the event belongs to: ties it to that visit and dedupes it. Left out: the event stands for " +
          "itself and is never billed.",
      )
      .optional(),
  })
  .meta({ id: "EventReport" });
export type ServerEventBody = z.infer<typeof serverEventBody>;

/**
 * What is written for something else that may be left out, by its letters alone, and would be missed if it were ignored as
 * other unknown members are (decisions.md#slips-in-a-report).
 */
export const eventSlips = {
  timestamp: "ts",
  time: "ts",
  eventtime: "ts",
  occurredat: "ts",
  countrycode: "country",
  request: "requestId",
  idempotencykey: "the header Idempotency-Key",
} as const;

export const serverEventAnswer = z.object({
  id: eventId,
  accepted: z.boolean().describe("False: stored, but not counted."),
  reason: openWord(refusalReasons).describe("Why it does not count; absent: it does.").optional(),
});
export type ServerEventAnswer = z.infer<typeof serverEventAnswer>;

/** Scope: publisher and route, so that the rotation of a key does not end it. Kept for `idempotencySeconds`. */
export const idempotencyKey = z
  .string()
  .regex(/^[\x21-\x7e]{1,255}$/, "must be 1 to 255 visible ASCII characters")
  .meta({ maxLength: 255 });
