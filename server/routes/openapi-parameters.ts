import type { oas31 } from "zod-openapi";

/** What each parameter means, said once for every route that has it. */
const words: Readonly<Record<string, string>> = {
  pub: "From a page, required: the publisher's public key.",
  website:
    "The website's key. From a page: required. With an API key: needed where the publisher has several.",
  websiteKey: "The website's key; left out: all websites of the publisher.",
  mode: "From a page: `section` for a placement within the page, which never counts as blocked.",
  country: "ISO 3166-1 alpha-2. From a page a hint, which never overrides a located address; else a filter.",
  region: "From a page: ISO 3166-2, with or without its country. A hint like `country`.",
  "dev-country":
    "From a page of a development website: simulates a country, `ZZ` an unknown one. Ignored elsewhere.",
  "dev-region": "From a page of a development website: simulates a region. Ignored elsewhere.",
  ip: "With an API key: the visitor's address. Without it the caller's own is located, and `X-Geo-Basis` says so.",
  userAgent: "With an API key: the visitor's user agent, which with `ip` tells one visitor from the next.",
  requestId: "From a page, required: of the decision, at most 30 minutes old.",
  limit: "From a page: how many standard offers at the most.",
  page: "With an API key: the page, from 1. One past the end is empty and still knows the total.",
  pageSize: "With an API key: how many on one page.",
  vertical: "Exactly this vertical.",
  brand: "With an API key: exactly this brand.",
  payoutModel: "With an API key: exactly this model.",
  from: "The first UTC day; left out: 30 days up to `to`.",
  to: "The last UTC day, at most 366 after the first; left out: today.",
  eventType: "May be repeated: rows in which any of these is above 0.",
  surface: "Where on the page the offers stood.",
  traffic: "`test` is the traffic of development websites.",
  groupBy: "Commas between any of date, websiteKey, country, vertical; left out: all four.",
  format: "Or by `Accept: text/csv`.",
  sessionId: "Of the session, from its opening.",
  t: "The token of an offer's link.",
};

/** Digits in the query, whole numbers to whoever reads the document. */
const wholeNumbers: Readonly<Record<string, { minimum: number; maximum: number; default: number }>> = {
  page: { minimum: 1, maximum: 1_000_000, default: 1 },
  pageSize: { minimum: 1, maximum: 100, default: 50 },
  limit: { minimum: 1, maximum: 20, default: 6 },
};

const headerParameters = {
  "Idempotency-Key": {
    name: "Idempotency-Key",
    in: "header",
    description: "Makes a repetition within 24 hours the same event.",
    schema: { type: "string", pattern: "^[\\x21-\\x7e]{1,255}$" },
  },
  "Sec-GPC": {
    name: "Sec-GPC",
    in: "header",
    description: "Global Privacy Control: with `1` no visitor hash is made.",
    schema: { type: "string" },
  },
} as const satisfies Record<string, oas31.ParameterObject>;

/** A parameter that travels as a header. */
export function headerParameter(name: keyof typeof headerParameters): oas31.ParameterObject {
  return headerParameters[name];
}

/** A parameter that was made of its schema, with its meaning. Throws for one that has none yet. */
export function explained<P extends { name: string }>(parameter: P): P {
  const whole = wholeNumbers[parameter.name];
  const description = words[parameter.name];
  if (description === undefined) throw new TypeError(`nobody has said what ${parameter.name} means`);
  return {
    ...parameter,
    description,
    ...(whole && { schema: { type: "integer", ...whole } }),
  };
}
