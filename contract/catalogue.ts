import { z } from "zod";
import { advertiserId, publisherId } from "./ids.ts";
import { languageOrNone, languageTag, offerLocales, ownTexts } from "./locales.ts";
import { geoCoverage, geoEntry } from "./location.ts";
import { mostRadius } from "./look.ts";
import { filledLine, line } from "./text.ts";
import { webAddress } from "./web-address.ts";
import {
  allowlistModes,
  assumedConversionBasisPoints,
  deviceClasses,
  fonts,
  frequencies,
  geoModes,
  overlayPlacements,
  pacings,
  payoutModels,
  secretCarriers,
  themes,
  triggers,
  unknownLocationRules,
  weekDays,
} from "./words.ts";

/** An amount in millionths of the offer's currency unit; whole, never a float. */
export const micros = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

/** Of a price and of everything that is billed by it. */
export const currencyCode = z
  .string()
  .regex(/^[A-Z]{3}$/, "must be an ISO 4217 code such as EUR")
  .meta({ minLength: 3, maxLength: 3 });

export const verticalName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,39}$/, "must be lower-case letters, digits, - or _, at most 40 characters")
  .meta({ maxLength: 40 });

/** Which visitors see the page as it is. An entry with a region is more exact than its country. */
export const geoRule = z.object({
  mode: z.enum(geoModes),
  entries: z.array(geoEntry).max(1000),
  unknownLocation: z.enum(unknownLocationRules),
});
export type GeoRule = z.infer<typeof geoRule>;

/** An allowlist names so many brands at the most, and so many verticals, in what it allows and in what it blocks. */
export const mostNames = 1000;

const nameSet = z.object({
  brands: z.array(filledLine(80)).max(mostNames).default([]),
  verticals: z.array(verticalName).max(mostNames).default([]),
  offers: z.array(z.string().max(80)).max(10_000).default([]),
});

/** Permitted = (mode is `all`, or in any `allow` set) and in no `block` set. */
export const allowlist = z.object({
  mode: z.enum(allowlistModes),
  allow: nameSet,
  block: nameSet,
});
export type Allowlist = z.infer<typeof allowlist>;

export const supportContact = z
  .object({
    email: z.email().max(254).describe("An address of mail.").optional(),
    url: webAddress().describe("The address of a page.").optional(),
    label: filledLine(80).describe("What the link to it says; absent: the widget's own words.").optional(),
  })
  .describe("Whom of the publisher a blocked visitor may turn to.");
export type SupportContact = z.infer<typeof supportContact>;

/**
 * Paths of a website's pages, as addresses have them: `/`, `/about`, or with `*` for any run of characters: `/news/*`.
 */
const pathPattern = z
  .string()
  .max(300)
  .regex(/^\/(?!\/)[^\s?#]*$/, "must be a path such as /about or /news/*, without query or fragment")
  .transform((path) => new URL(path, "https://path.invalid").pathname)
  .meta({ maxLength: 300 });

/** Which pages may have an overlay: those of `include`, or all when it is empty, but none of `exclude`. */
const pageRules = z.object({
  include: z.array(pathPattern).max(100).default([]),
  exclude: z.array(pathPattern).max(100).default([]),
});

/** A colour; the sign before it may be left out, which shells take for the beginning of a comment. */
const hexColour = z
  .string()
  .regex(/^#?[0-9a-f]{6}$/i, "must be a colour such as #0a6b4f")
  .transform((text) => `#${text.replace("#", "").toLowerCase()}`);

/** A website's language in an answer: as it was saved, which builds before the first release did in any length. */
export const websiteLanguage = z
  .string()
  .regex(/^([A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*)?$/)
  .describe('Language tag of what the website is set to speak; `""`: that of the page or the browser.');

/** How the overlay of one website looks and speaks. An empty text means the widget's own words. */
export const websiteSettings = z.object({
  theme: z
    .enum(themes)
    .describe("The widget's colours: light, dark, or whichever the visitor's device asks for (`auto`).")
    .default("auto"),
  /** Null: the widget's own, here and in the two that follow. Whether it can be read is checked when it is saved. */
  accent: hexColour.nullable().default(null),
  /** Of the widget's corners, in pixels. */
  radius: z.int().min(0).max(mostRadius).nullable().default(null),
  font: z.enum(fonts).default("own"),
  /** The publisher's picture at the head of the overlay; null: none. */
  logo: webAddress({ httpsOnly: true }).nullable().default(null),
  language: languageOrNone.default(""),
  trigger: z
    .enum(triggers)
    .describe(
      "When the overlay opens: at once (`immediate`), in the first pause after the page was seen (`pause`), after half a " +
        "page of scrolling (`scroll`), as the pointer leaves the page (`exit`), at a click on what the page has for it " +
        "(`click`), or only when the page says so (`manual`).",
    )
    .default("pause"),
  frequency: z
    .enum(frequencies)
    .describe(
      "When a visitor whom the overlay was shown to gets it again: with every page view (`page`), not on the day on which " +
        "they closed it (`closed`), or not on the day on which it was shown (`day`). A day is one of UTC.",
    )
    .default("closed"),
  placement: z
    .enum(overlayPlacements)
    .describe(
      "Where the overlay stands: over the middle of the page (`center`), or as a bar at its bottom beside which the page " +
        "goes on (`bottom`).",
    )
    .default("center"),
  pages: pageRules.prefault({}),
  dismissible: z.boolean().default(true),
  title: line(120).default(""),
  message: line(600).default(""),
  supportContact: supportContact.nullable().default(null),
  /** Where a click on a paused offer goes; null: a small page of the service. */
  fallbackUrl: webAddress().nullable().default(null),
  /** Words of a link to that address, which stands where there is no offer to show; `""`: no link. */
  fallbackLabel: line(60).default(""),
});
export type WebsiteSettings = z.infer<typeof websiteSettings>;

/** Of each price that is billed on a website what its publisher earns, in hundredths of a per cent; 10000 is all of it. */
const shareBasisPoints = z.int().min(0).max(10_000);

export const publisherInput = z.object({
  name: filledLine(120),
  shareBasisPoints: shareBasisPoints.default(10_000),
  /** Whether its reports tell what advertisers pay. */
  showSpend: z.boolean().default(true),
});
export type PublisherInput = z.infer<typeof publisherInput>;
/** A publisher as it is saved first; what is left out has its default. */
export type NewPublisher = z.input<typeof publisherInput>;

/**
 * What an offer must be expected to earn with a thousand impressions to be shown, in millionths; 0: anything. It
 * compares offers and is never money.
 */
const floorPrice = z.object({ micros: micros.default(0), currency: currencyCode.default("EUR") });
export type FloorPrice = z.infer<typeof floorPrice>;

export const websiteInput = z.object({
  publisherId,
  name: filledLine(120),
  origins: z.array(z.string().max(300)).min(1, "must name at least one origin").max(50),
  vertical: verticalName.default("unassigned"),
  /** The website's own brand: its offers are never shown there. */
  ownBrand: line(80).default(""),
  development: z.boolean().default(false),
  geoRule: geoRule.default({ mode: "blocklist", entries: [], unknownLocation: "allow" }),
  settings: websiteSettings.prefault({}),
  floor: floorPrice.prefault({}),
  /** Null: its publisher's. */
  shareBasisPoints: shareBasisPoints.nullable().default(null),
  /** Which place of a call may carry the integration secret; in the others it is as good as a wrong one. */
  secretCarrier: z.enum(secretCarriers).default("any"),
});
export type WebsiteInput = z.infer<typeof websiteInput>;

export const advertiserInput = z.object({
  name: filledLine(120),
  /** In which it pays, and in which all its offers are. */
  currency: currencyCode.default("EUR"),
  balanceMicros: micros,
});
/** An advertiser as it is saved first; what is left out has its default. */
export type NewAdvertiser = z.input<typeof advertiserInput>;

const mostNote = 200;
/** What is written to a deposit, such as the number of an invoice. */
export const depositNote = line(mostNote);
/** What an adjustment is for. */
export const adjustmentNote = filledLine(mostNote);

const limit = (max = Number.MAX_SAFE_INTEGER) => z.int().min(0).max(max).nullable().default(null);

const clickCapOnly = (field: string) => ({
  path: [field],
  message:
    "caps billed clicks, which only a CPC offer has: a CPM offer takes a budget, and nothing is billed of the others",
});

/** What clocks of the offer's time zone show: a date, or a date with a time. */
const localTime = z
  .string()
  .refine(
    (text) => /^\d{4}-\d\d-\d\d(T\d\d:\d\d)?$/.test(text) && isDate(text),
    "must be a date such as 2026-12-01, or one with a time such as 2026-12-01T09:00",
  )
  .nullable()
  .default(null);

/** JavaScript reads the 31st of February as a day of March. */
const isDate = (text: string): boolean => {
  const at = Date.parse(`${text.slice(0, 10)}${text.slice(10) || "T00:00"}Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
};

const hourRange = z.string().refine((text) => {
  const [, from, to] = /^(\d{1,2})-(\d{1,2})$/.exec(text) ?? [];
  return from !== undefined && to !== undefined && Number(from) < Number(to) && Number(to) <= 24;
}, "must be hours such as 9-17, from 0 to 24; a night is 22-24 and 0-6");

const timeZone = z
  .string()
  .refine(isTimeZone, "must be a time zone by its IANA name, such as Europe/Berlin")
  .default("UTC");

/** Offsets such as +01:00 know no summer. */
function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }) !== null;
  } catch {
    return false;
  }
}

const publisherIds = z.array(publisherId).max(1000).default([]);

export const offerInput = z
  .object({
    advertiserId,
    brand: filledLine(80),
    vertical: verticalName,
    ...ownTexts,
    language: languageOrNone.default(""),
    locales: offerLocales.prefault({}),
    imageUrl: webAddress().nullable().default(null),
    landingUrl: z.string().max(2048),
    geoCoverage,
    payoutModel: z.enum(payoutModels),
    /** CPC, CPA, CPL: per event. CPM: per thousand impressions. REVSHARE: the expected value of one conversion. */
    payoutMicros: micros,
    /**
     * Of how many clicks a conversion is expected, in hundredths of a per cent: the offer is ranked by it. Null: what is assumed of
     * its model.
     */
    conversionRateBasisPoints: z.int().min(1).max(10_000).nullable().default(null),
    currency: currencyCode.default("EUR"),
    premium: z.boolean().default(false),
    dailyBudgetMicros: limit(),
    totalBudgetMicros: limit(),
    dailyClickCap: limit(),
    totalClickCap: limit(),
    pacing: z.enum(pacings).default("asap"),
    /** It runs from here; a date alone is its beginning. Null: since ever. */
    startsAt: localTime,
    /** It runs until here; a date alone is its end. Null: for good. */
    endsAt: localTime,
    /** On which days and in which hours it runs; none: all of them. */
    days: z.array(z.enum(weekDays)).max(7).default([]),
    hours: z.array(hourRange).max(24).default([]),
    /** Of the clock that the four above are read from. */
    timeZone,
    /** For visitors of which languages, and on which devices; none: all of them. */
    languages: z.array(languageTag).max(50).default([]),
    devices: z.array(z.enum(deviceClasses)).max(3).default([]),
    /** Which publishers alone may show it, or which may not: one of the two at the most. None: all of them may. */
    onlyPublishers: publisherIds,
    exceptPublishers: publisherIds,
  })
  .refine((offer) => offer.payoutModel !== "CPM" || offer.payoutMicros % 1000 === 0, {
    path: ["payoutMicros"],
    message: "must be a multiple of 1000 for CPM, so that one impression costs whole micro-units",
  })
  .refine(
    (offer) => offer.conversionRateBasisPoints === null || offer.payoutModel in assumedConversionBasisPoints,
    {
      path: ["conversionRateBasisPoints"],
      message: "must be none: a CPC or CPM offer is not paid by its conversions",
    },
  )
  .refine(
    (offer) => offer.payoutModel === "CPC" || offer.dailyClickCap === null,
    clickCapOnly("dailyClickCap"),
  )
  .refine(
    (offer) => offer.payoutModel === "CPC" || offer.totalClickCap === null,
    clickCapOnly("totalClickCap"),
  )
  .refine(
    (offer) => offer.pacing === "asap" || offer.dailyBudgetMicros !== null || offer.dailyClickCap !== null,
    {
      path: ["pacing"],
      message: "has nothing to spread over the day: even needs a daily budget or a daily click cap",
    },
  )
  .refine(
    ({ onlyPublishers, exceptPublishers }) => onlyPublishers.length === 0 || exceptPublishers.length === 0,
    {
      path: ["exceptPublishers"],
      message: "cannot stand beside publishers that alone may show the offer: empty one of the two lists",
    },
  )
  .refine(({ startsAt, endsAt }) => startsAt === null || endsAt === null || isBefore(startsAt, endsAt), {
    path: ["endsAt"],
    message: "must be later than the start",
  });

/** A date alone is its beginning as a start, and its end as an end. */
const isBefore = (start: string, end: string): boolean =>
  end.includes("T") ? (start.includes("T") ? start : `${start}T00:00`) < end : start.slice(0, 10) <= end;

export type OfferInput = z.infer<typeof offerInput>;
