import { z } from "zod";
import { publicKey } from "./ids.ts";
import { themes, widgetLanguages } from "./words.ts";

/** Query of GET /dash/preview/:websiteKey: the page that shows a website's overlay as it is, within the dashboard. */
export const previewQuery = z.object({
  /** Stands in the tag in place of the public key, for `previewSeconds`. */
  token: publicKey,
  /** The place of the visitor who is played: `DE`, or `US-NJ`. Absent: where the browser is. */
  country: z
    .string()
    .regex(/^[A-Z]{2}(-[A-Z0-9]{1,3})?$/, "must be a country such as DE, or a region such as US-NJ")
    .optional(),
  language: z.enum(widgetLanguages).optional(),
  theme: z.enum(themes).optional(),
});
export type PreviewQuery = z.infer<typeof previewQuery>;
