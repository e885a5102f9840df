import { z } from "zod";
import { location } from "./location.ts";

/** Query of GET /v1/openapi.json: `server` is the part for publishers' servers alone. */
export const openapiQuery = z.object({
  group: z.literal("server", "must be server, or left out").optional(),
});

/** The answer of GET /.well-known/gpc.json, as the Global Privacy Control specification has it. */
export const gpcAnswer = z.object({ gpc: z.literal(true), lastUpdate: z.iso.date() });

export const whatsMyIpAnswer = z.object({
  ip: z.string().max(45),
  ...location.shape,
  /** Whether the country is a member of the European Union. */
  eu: z.boolean(),
  source: z.enum(["geoip", "none"]),
  /** The data set that answers for this address, and the day that it is of, `YYYY-MM-DD`. */
  geoData: z.object({ source: z.string(), date: z.iso.date() }),
  /** How many trusted proxies the service counts back through. */
  proxyHops: z.int(),
  /** The proxy, 1 being the nearest, that wrote something that is no address, so that the one before it counts; null: none did. */
  unreadableHop: z.int().nullable(),
});
export type WhatsMyIpAnswer = z.infer<typeof whatsMyIpAnswer>;
