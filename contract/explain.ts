import { z } from "zod";
import { clickId, eventId, offerId, requestId, websiteKey } from "./ids.ts";
import { languageTag } from "./locales.ts";
import { location } from "./location.ts";
import { servedOffer } from "./offers.ts";
import { openWord } from "./open-word.ts";
import { calendarDate } from "./reports.ts";
import {
  blockReasons,
  countedTypes,
  deviceClasses,
  emptyReasons,
  eventMarks,
  geoBases,
  geoModes,
  placements,
  refusalReasons,
  removalReasons,
  ruleLines,
  surfaces,
} from "./words.ts";

/** Query of GET /v1/explain: exactly one of the ids, and as whom the offers of now are explained to. */
export const explainQuery = z.object({
  requestId: requestId.optional(),
  eventId: eventId.optional(),
  clickId: clickId.optional(),
  /** Left out: whether an offer is for that visitor does not matter, for neither is kept. */
  language: languageTag.optional(),
  device: z.enum(deviceClasses).optional(),
});
export type ExplainQuery = z.infer<typeof explainQuery>;

const count = z.int().min(0);
const moment = z.iso.datetime();
const placement = z
  .enum(placements)
  .nullable()
  .describe("Where in the answer, and so on the screen, the offer stood; null: not said.");
const position = z.int().min(1).nullable().describe("From 1, within the placement; null: not said.");
const { brand, vertical, title } = servedOffer.shape;

/** An offer of the catalogue. One of its last two members is null. */
export const explainedOffer = z.object({
  offerId,
  brand,
  vertical,
  title,
  rank: z
    .int()
    .min(1)
    .nullable()
    .describe("Where it stands now, 1 being the premium place; null: it was removed."),
  removedBy: openWord(removalReasons)
    .nullable()
    .describe("The first rule that removed it; null: it has a rank."),
});

/** An offer that the request was handed. */
export const explainedServed = z.object({
  offerId: offerId.nullable().describe("Which one; null: one that the catalogue does not know."),
  placement,
  position,
  at: moment.describe("When it was handed out, in UTC."),
  catalogueVersion: count.nullable().describe("Of the catalogue that it was chosen from; null: not kept."),
  ratesVersion: count.nullable().describe("Of the click rates that ranked it; null: not kept."),
});

/** What happened, and why it counts or not. */
export const explainedEvent = z.object({
  eventId: eventId.describe("Names the stored event; offers of one answer share it."),
  type: z.enum(countedTypes).describe("What happened."),
  offerId: offerId
    .nullable()
    .describe(
      "Of which offer; null: it is about no one offer, or about one that the catalogue does not know.",
    ),
  placement,
  position,
  at: moment.describe("When it happened, in UTC."),
  counts: z.boolean().describe("Whether it counts."),
  reason: openWord(refusalReasons).nullable().describe("Why it does not count; null: it does."),
  overruled: openWord(refusalReasons)
    .nullable()
    .describe("Of an impression: its own reason, which a counted click has overruled; null: there is none."),
  mark: openWord(eventMarks)
    .nullable()
    .describe(
      "What is worth knowing of it and decides nothing; null: there is none. `geo_mismatch`: offers were asked for with " +
        "another country than the decision's. `unregistered_referrer`: a link was followed from a page of an address that the " +
        "website has not registered, by what the browser says.",
    ),
  billed: z.boolean().describe("Whether it cost an advertiser something."),
  beaconAt: moment.nullable().describe("When its beacon arrived, in UTC; null: none did."),
  hopAt: moment
    .nullable()
    .describe("Of a click: when its link was followed, which alone bills it, in UTC; null: it was not."),
});

export const explainAnswer = z.object({
  websiteKey,
  at: moment.describe("When the request was made, in UTC."),
  surface: z.enum(surfaces).describe("Which part of the page the request was for."),
  test: z.boolean().describe("Whether it is the traffic of a development website."),
  eventId: eventId
    .nullable()
    .describe("The event that was asked for, or that of the click; null: a request was asked for."),
  decision: z
    .object({
      ...location.shape,
      allowed: z
        .boolean()
        .nullable()
        .describe("Whether the visitor was shown the page; null: not kept with the event."),
      suppresses: z
        .boolean()
        .nullable()
        .describe(
          "Whether verticals were withheld from the visitor, of a decline; null: not kept with the event.",
        ),
      geo: z
        .object({
          basis: z
            .enum(geoBases)
            .describe(
              "How: by a data set that knows the address, by what the page said of one that is in none (`hint`), as a " +
                "development website pretends (`simulated`), or not at all.",
            ),
          source: z
            .string()
            .nullable()
            .describe(
              "The name of the data set; null: none did, or the operator's own, whose name is not kept.",
            ),
          date: calendarDate
            .nullable()
            .describe("The day that its data was of; null: no data set located the visitor."),
          ageDays: count
            .nullable()
            .describe("How old its data was then, in days; null: no data set located the visitor."),
        })
        .nullable()
        .describe("What located the visitor; null: not kept."),
      catalogueVersion: count.nullable().describe("Of the catalogue that it was taken by; null: not kept."),
    })
    .describe("As it was taken."),
  now: z
    .object({
      allowed: z.boolean().describe("Whether the visitor would be shown the page."),
      reason: openWord(blockReasons)
        .nullable()
        .describe(
          "Why the geo rule does not let them through; null: it does, or the website's own server declined them (`rule.line`).",
        ),
      rule: z
        .object({
          line: z
            .enum(ruleLines)
            .describe(
              "An entry of its geo rule, its mode because no entry fits, its rule for an unknown location, that the website " +
                "is paused, or its own server, which declined the visitor.",
            ),
          mode: z.enum(geoModes).describe("Whether the entries of the geo rule are let through, or blocked."),
          entry: z.string().nullable().describe("The entry that fits; null: none does."),
        })
        .describe("The line of the website's settings that decides."),
      catalogueVersion: count.describe("Of the catalogue of now."),
      websiteChanged: z
        .boolean()
        .nullable()
        .describe("Whether the website has changed since; null: not known."),
      offersChanged: count.nullable().describe("How many offers have changed since; null: not known."),
      emptyReason: openWord(emptyReasons)
        .nullable()
        .describe("Why no offer would be shown now, whatever was decided then; null: some would."),
    })
    .describe("What the same visit would be decided and shown now."),
  served: z.array(explainedServed).describe("The offers that the request was handed."),
  events: z.array(explainedEvent).describe("What happened, in the order of time."),
  moreEvents: z.boolean().describe("Whether there are more than these."),
  offers: z
    .array(explainedOffer)
    .describe(
      "The catalogue, but for what the operator keeps from the publisher and the request was not handed.",
    ),
  considered: count.describe("How many of the offers have a rank."),
  removed: count.describe("How many of the offers were removed."),
});
export type ExplainAnswer = z.infer<typeof explainAnswer>;
