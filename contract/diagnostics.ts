import { z } from "zod";

export const whatsMyIpAnswer = z.object({
  ip: z.string(),
  country: z.string(),
  region: z.string(),
  /** Whether the country is a member of the European Union. */
  eu: z.boolean(),
  source: z.enum(["geoip", "none"]),
  /** How many trusted proxies the service counts back through. */
  proxyHops: z.int(),
  /** Which of them, 1 being the nearest, wrote something that is no address, so that the one before it counts; or null. */
  unreadableHop: z.int().nullable(),
});
export type WhatsMyIpAnswer = z.infer<typeof whatsMyIpAnswer>;
