/**
 * What the service and the overlay's style sheets both go by, free of zod. `embed/overlay/look.test.ts` compares it with
 * the sheets.
 */

/** What an accent stands on, and what stands on an accent: the panel, in light and in dark colours. */
export const panelColours = { light: "#ffffff", dark: "#1c2029" } as const;

/** How much of the accent is mixed into the panel's colour, for the ground of what is highlighted. */
export const tintPercent = 11;

/** The roundest corner that a website may ask for, in pixels. */
export const mostRadius = 32;
