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
export const gpcAnswer = z.object({
  gpc: z.literal(true).describe("The signal is honoured."),
  lastUpdate: z.iso.date().describe("The day of the last change to this."),
});

/** The answer of GET /v1/whats-my-ip. */
export const whatsMyIpAnswer = z.object({
  ip: z.string().max(45).describe("The caller's address, IPv4 or IPv6."),
  ...location.shape,
  eu: z.boolean().describe("Whether the country is a member of the European Union."),
  source: z.enum(["geoip", "none"]).describe("Whether location data knows the address."),
  geoData: z
    .object({
      source: z.string().describe("Its name."),
      date: z.iso.date().describe("The day that it is of."),
    })
    .describe("The data set that answers for this address."),
  proxyHops: z.int().describe("How many trusted proxies the service counts back through."),
  unreadableHop: z
    .int()
    .nullable()
    .describe(
      "The proxy, 1 being the nearest, that wrote something that is no address, so that the one before it counts; null: " +
        "none did.",
    ),
});
export type WhatsMyIpAnswer = z.infer<typeof whatsMyIpAnswer>;

/** The answer of GET /healthz. */
export const aliveAnswer = z.object({ status: z.literal("ok").describe("The process answers.") });

/** The good answer of GET /readyz. */
export const readyAnswer = z.object({
  status: z.literal("ready").describe("Visitors may be sent here."),
  warnings: z
    .array(z.string())
    .describe("What an operator should look after, although visitors may be sent here.")
    .optional(),
});
export type ReadyAnswer = z.infer<typeof readyAnswer>;
