import { z } from "zod";
import { clickId, eventId, offerId, requestId, websiteKey } from "./ids.ts";
import { languageTag } from "./locales.ts";
import { location } from "./location.ts";
import { openWord } from "./open-word.ts";
import { calendarDate } from "./reports.ts";
import {
  blockReasons,
  countedTypes,
  deviceClasses,
  emptyReasons,
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
const placement = z.enum(placements).nullable();
/** From 1, within the placement; null: not said. */
const position = z.int().min(1).nullable();

/** An offer of the catalogue: where it stands now, or the first rule that removed it. One of the two is null. */
export const explainedOffer = z.object({
  offerId,
  brand: z.string(),
  vertical: z.string(),
  title: z.string(),
  /** 1 is the premium place. */
  rank: z.int().min(1).nullable(),
  removedBy: openWord(removalReasons).nullable(),
});

/** An offer that the request was handed. */
export const explainedServed = z.object({
  offerId: offerId.nullable(),
  placement,
  position,
  at: moment,
  /** Of the catalogue that it was chosen from, and of the click rates that ranked it; null: not kept. */
  catalogueVersion: count.nullable(),
  ratesVersion: count.nullable(),
});

/** What happened, and why it counts or not. */
export const explainedEvent = z.object({
  /** Offers of one answer share it. */
  eventId,
  type: z.enum(countedTypes),
  /** Null: it is about no one offer, or about one that the catalogue does not know. */
  offerId: offerId.nullable(),
  placement,
  position,
  at: moment,
  counts: z.boolean(),
  /** Why it does not; null: it does. */
  reason: openWord(refusalReasons).nullable(),
  /** Of an impression: its own reason, which a counted click has overruled. */
  overruled: openWord(refusalReasons).nullable(),
  billed: z.boolean(),
  /** When its beacon arrived, and of a click when its link was followed, which alone bills it. */
  beaconAt: moment.nullable(),
  hopAt: moment.nullable(),
});

export const explainAnswer = z.object({
  websiteKey,
  /** When the request was made. */
  at: moment,
  surface: z.enum(surfaces),
  test: z.boolean(),
  /** The event that was asked for, or that of the click; null: a request was asked for. */
  eventId: eventId.nullable(),
  /** As it was taken. */
  decision: z.object({
    ...location.shape,
    /** Null: not kept with the event. */
    allowed: z.boolean().nullable(),
    /** Whether verticals were withheld from the visitor, of a decline; null: not kept with the event. */
    suppresses: z.boolean().nullable(),
    /** What located the visitor, and how old its data was then; null: not kept. */
    geo: z
      .object({
        basis: z.enum(geoBases),
        source: z.string().nullable(),
        date: calendarDate.nullable(),
        ageDays: count.nullable(),
      })
      .nullable(),
    /** Null: not kept. */
    catalogueVersion: count.nullable(),
  }),
  /** What the same visit would be decided and shown now. */
  now: z.object({
    allowed: z.boolean(),
    reason: openWord(blockReasons).nullable(),
    /** The line of the website's settings that decides. */
    rule: z.object({ line: z.enum(ruleLines), mode: z.enum(geoModes), entry: z.string().nullable() }),
    catalogueVersion: count,
    /** Whether the website, and how many offers, have changed since; null: not known. */
    websiteChanged: z.boolean().nullable(),
    offersChanged: count.nullable(),
    /** Why no offer would be shown now, whatever was decided then. */
    emptyReason: openWord(emptyReasons).nullable(),
  }),
  served: z.array(explainedServed),
  /** In the order of their times. */
  events: z.array(explainedEvent),
  /** Whether there are more than these. */
  moreEvents: z.boolean(),
  /** The whole catalogue. */
  offers: z.array(explainedOffer),
  /** How many of them have a rank, and how many were removed. */
  considered: count,
  removed: count,
});
export type ExplainAnswer = z.infer<typeof explainAnswer>;
