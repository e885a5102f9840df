import { z } from "zod";
import { location } from "./location.ts";

/** Query of GET /v1/openapi.json: `server` is the part for publishers' servers alone. */
export const openapiQuery = z.object({
  group: z.literal("server", "must be server, or left out").optional(),
});

export const whatsMyIpAnswer = z.object({
  ip: z.string().max(45),
  ...location.shape,
  /** Whether the country is a member of the European Union. */
  eu: z.boolean(),
  source: z.enum(["geoip", "none"]),
  /** How many trusted proxies the service counts back through. */
  proxyHops: z.int(),
});
export type WhatsMyIpAnswer = z.infer<typeof whatsMyIpAnswer>;
