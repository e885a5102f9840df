import { z } from "zod";
import { clickToken } from "./ids.ts";
import { location } from "./location.ts";

// What anybody may ask without a credential: the group `open` of the table of endpoints.

/** Query of GET /v1/r; whatever else it holds is not looked at. */
export const hopQuery = z.object({ t: clickToken });

/** Query of GET /v1/openapi.json: `server` is the part for publishers' servers alone. */
export const openapiQuery = z.object({
  group: z.literal("server", "must be server, or left out").optional(),
});

/** The answer of GET /.well-known/gpc.json, as the Global Privacy Control specification has it. */
export const gpcAnswer = z.object({ gpc: z.literal(true), lastUpdate: z.iso.date() });

/** The answer of GET /v1/whats-my-ip. */
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

/** The answer of GET /healthz. */
export const aliveAnswer = z.object({ status: z.literal("ok") });

/** The good answer of GET /readyz. */
export const readyAnswer = z.object({
  status: z.literal("ready"),
  /** What an operator should look after, although visitors may be sent here. */
  warnings: z.array(z.string()).optional(),
});
export type ReadyAnswer = z.infer<typeof readyAnswer>;
