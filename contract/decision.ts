import { z } from "zod";
import { supportContact, websiteSettings } from "./catalogue.ts";
import { publicKey, requestId, websiteKey } from "./ids.ts";
import { countryCode, location, regionCode } from "./location.ts";
import { blockReasons } from "./words.ts";

/** Query of GET /v1/decision for the embed. Blank values count as absent. */
export const decisionQuery = z.object({
  pub: publicKey,
  website: websiteKey,
  mode: z.literal("section", "must be section, or left out").optional(),
  country: countryCode.optional(),
  region: regionCode.optional(),
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
  reason: z.enum(blockReasons),
  /** `""`: the publisher wrote none, the widget uses its own words. */
  title: z.string(),
  message: z.string(),
  supportContact: supportContact.nullable(),
  dismissible: z.boolean(),
  /** What the publisher shows where no offer is left; null: nothing. */
  fallback: z.object({ url: z.string(), label: z.string() }).nullable(),
});
export type BlockedExperience = z.infer<typeof blockedExperience>;

export const widgetSettings = websiteSettings.pick({ theme: true, language: true, trigger: true });
export type WidgetSettings = z.infer<typeof widgetSettings>;

export const decisionAnswer = z.object({
  allowed: z.boolean(),
  requestId,
  ...location.shape,
  blocked: blockedExperience.optional(),
  settings: widgetSettings,
});
export type DecisionAnswer = z.infer<typeof decisionAnswer>;
