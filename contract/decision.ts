import { z } from "zod";
import { supportContact, websiteSettings } from "./catalogue.ts";
import { publicKey, requestId, websiteKey } from "./ids.ts";
import { countryCode, location, regionCode } from "./location.ts";
import { mostRadius } from "./look.ts";
import { openWord } from "./open-word.ts";
import { blockReasons, fonts, frequencies, hiddenReasons } from "./words.ts";

/** Query of GET /v1/decision for the embed. Blank values count as absent. */
export const decisionQuery = z.object({
  pub: publicKey,
  website: websiteKey,
  mode: z.literal("section", "must be section, or left out").optional(),
  country: countryCode.optional(),
  region: regionCode.optional(),
  /** What the tag says in place of the website's setting. */
  frequency: z.enum(frequencies).optional(),
  /** Read only on a development website, and checked only there. */
  "dev-country": z.string().meta({ maxLength: 2 }).optional(),
  "dev-region": z.string().meta({ maxLength: 6 }).optional(),
});
export type DecisionQuery = z.infer<typeof decisionQuery>;

/** What a development website may simulate. `ZZ` simulates an unknown location. */
export const simulatedLocation = z.object({
  "dev-country": countryCode.optional(),
  "dev-region": regionCode.optional(),
});

export const blockedExperience = z.object({
  reason: openWord(blockReasons),
  /** `""`: the publisher wrote none, the widget uses its own words. */
  title: z.string(),
  message: z.string(),
  supportContact: supportContact.nullable(),
  dismissible: z.boolean(),
  /** What the publisher shows where no offer is left; null: nothing. */
  fallback: z.object({ url: z.string(), label: z.string() }).nullable(),
});
export type BlockedExperience = z.infer<typeof blockedExperience>;

const lookColour = z.string().regex(/^#[0-9a-f]{6}$/);

const { theme, language, trigger, placement, frequency } = websiteSettings.shape;

export const widgetSettings = z.object({
  // Saved with a default each, and so always answered.
  theme: theme.removeDefault(),
  language: language.removeDefault(),
  trigger: trigger.removeDefault(),
  placement: placement.removeDefault(),
  frequency: frequency.removeDefault(),
  /** False: the overlay of a blocked visitor is not to open by itself. The verdict stands all the same. */
  show: z.boolean(),
  /** Why; only where `show` is false. */
  hidden: openWord(hiddenReasons).optional(),
  /** Where the overlay may open; only in a blocking answer of a website that has such rules. */
  pages: z.object({ include: z.array(z.string()), exclude: z.array(z.string()) }).optional(),
  /** What the website has chosen of its look, each only where it has: its accent in light and in dark colours. */
  accent: lookColour.optional(),
  accentDark: lookColour.optional(),
  /** Of corners, in CSS pixels. */
  radius: z.int().min(0).max(mostRadius).optional(),
  font: z.enum(fonts).optional(),
  /** Address of a picture; only in a blocking answer. */
  logo: z.string().optional(),
});
export type WidgetSettings = z.infer<typeof widgetSettings>;

export const decisionAnswer = z.object({
  allowed: z.boolean(),
  requestId,
  ...location.shape,
  blocked: blockedExperience.optional(),
  settings: widgetSettings,
});
export type DecisionAnswer = z.infer<typeof decisionAnswer>;
