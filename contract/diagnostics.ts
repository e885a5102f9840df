import { z } from "zod";

export const whatsMyIpAnswer = z.object({
  ip: z.string(),
  country: z.string(),
  region: z.string(),
  /** Whether the country is a member of the European Union. */
  eu: z.boolean(),
  source: z.enum(["geoip", "none"]),
  /** The data set that answers for this address, and the day that it is of, `YYYY-MM-DD`. */
  geoData: z.object({ source: z.string(), date: z.iso.date() }),
  /** How many trusted proxies the service counts back through. */
  proxyHops: z.int(),
});
export type WhatsMyIpAnswer = z.infer<typeof whatsMyIpAnswer>;
