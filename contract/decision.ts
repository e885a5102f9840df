import { z } from "zod";
import { supportContact, websiteLanguage, websiteSettings } from "./catalogue.ts";
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

/** What a development website may simulate. `ZZ` simulates an unknown location. */
export const simulatedLocation = z.object({
  "dev-country": countryCode.optional(),
  "dev-region": regionCode.optional(),
});

export const blockedExperience = z
  .object({
    reason: openWord(blockReasons).describe("Why the website's geo rule does not let the visitor through."),
    title: z.string().describe('The heading; `""`: the publisher wrote none, the widget uses its own words.'),
    message: z.string().describe('The text below it; `""` as for `title`.'),
    supportContact: supportContact
      .nullable()
      .describe("Whom the visitor may turn to; null: nobody is named."),
    dismissible: z.boolean().describe("Whether the visitor may close the overlay."),
    fallback: z
      .object({
        url: z.string().describe("Where the link leads."),
        label: z.string().describe("What the link says."),
      })
      .nullable()
      .describe("What the publisher shows where no offer is left; null: nothing."),
  })
  .describe("What the widget shows in place of the page; only where `allowed` is false.");
export type BlockedExperience = z.infer<typeof blockedExperience>;

const lookColour = z.string().regex(/^#[0-9a-f]{6}$/);

const { theme, trigger, placement, frequency } = websiteSettings.shape;

export const widgetSettings = z
  .object({
    // Saved with a default each, and so always answered.
    theme: theme.removeDefault(),
    language: websiteLanguage,
    trigger: trigger.removeDefault(),
    placement: placement.removeDefault(),
    frequency: frequency.removeDefault(),
    show: z
      .boolean()
      .describe(
        "False: the overlay of a blocked visitor is not to open by itself. The verdict stands all the same.",
      ),
    hidden: openWord(hiddenReasons).describe("Why `show` is false; only then.").optional(),
    pages: z
      .object({
        include: z
          .array(z.string())
          .describe("Paths that may have it, `*` for any run of characters; none: all."),
        exclude: z.array(z.string()).describe("Paths that may not, whatever `include` says."),
      })
      .describe("Where the overlay may open; only in a blocking answer of a website that has such rules.")
      .optional(),
    accent: lookColour.describe("The website's accent in light colours, where it has chosen one.").optional(),
    accentDark: lookColour.describe("Its accent in dark colours, likewise.").optional(),
    radius: z
      .int()
      .min(0)
      .max(mostRadius)
      .describe("Of the corners, in CSS pixels, where the website has chosen it.")
      .optional(),
    font: z
      .enum(fonts)
      .describe("The system's font (`own`) or the page's (`inherit`), where the website has chosen it.")
      .optional(),
    logo: z
      .string()
      .describe("Address of the publisher's picture at the head of the overlay; only in a blocking answer.")
      .optional(),
  })
  .describe("How the widget of the website looks, speaks and opens.");
export type WidgetSettings = z.infer<typeof widgetSettings>;

export const decisionAnswer = z.object({
  allowed: z.boolean().describe("True: the visitor is shown the page as it is."),
  requestId,
  ...location.shape,
  blocked: blockedExperience.optional(),
  settings: widgetSettings,
});
export type DecisionAnswer = z.infer<typeof decisionAnswer>;
