import { durationWords } from "@offers/contract/duration-words";
import { defaultGrouping, reportDimensions } from "@offers/contract/reports";
import { pageSizes } from "@offers/contract/server-offers";
import {
  countedTypes,
  idempotencySeconds,
  longestUserAgent,
  offerSlots,
  reportDays,
  reportRowsMost,
  requestLifetimes,
} from "@offers/contract/words";
import type { oas31 } from "zod-openapi";
import { longestOrigin } from "../core/origin.ts";

const ofTheMoment = "Pages are of the moment: between two calls an offer may move to another one.";

const offersLife = durationWords(requestLifetimes.offersSeconds);
const countsOfAgent = `Its first ${longestUserAgent} characters count.`;

/** What each parameter means, said once for every route that has it. */
const words: Readonly<Record<string, string>> = {
  pub: "From a page, required: the publisher's public key.",
  website:
    "The website's key. From a page: required. With an API key: needed where the publisher has several.",
  websiteKey: "The website's key; left out: all websites of the publisher.",
  mode: "From a page: `section` for a placement within the page, which never counts as blocked.",
  frequency:
    "From a page: what the tag says in place of the website's setting of when the overlay opens again. `settings.show` answers it.",
  country: "ISO 3166-1 alpha-2: exactly this country.",
  timeZone:
    "Whole hours from UTC: days and hours of the report are those of this zone; left out: UTC. Names of zones, and half hours, are refused.",
  offer: "Exactly this offer, by its id.",
  placement: "Exactly this placement.",
  device:
    "In a report: exactly this class of devices. In an explanation: what the visitor is taken to sit at; left out, what the visit's user agent said, as far as that is kept, else it does not matter for which devices an offer is.",
  region: "ISO 3166-2 with its country: exactly this region, such as `US-NJ`.",
  "dev-country":
    "From a page of a development website: simulates a country, `ZZ` an unknown one. Ignored elsewhere.",
  "dev-region": "From a page of a development website: simulates a region. Ignored elsewhere.",
  ip: "With an API key: the visitor's address. Without it the caller's own is located, and `X-Geo-Basis` says so.",
  userAgent: `With an API key: the visitor's user agent, which with \`ip\` tells one visitor from the next. ${countsOfAgent}`,
  requestId: `From a page, required: of the decision, at most ${offersLife} old. With an API key: of a decision, for offers at most ${offersLife} old, else of any age.`,
  eventId: "The id of an event, as `POST /v1/events` and explanations have it.",
  clickId: "What the advertiser knows the click by: `{click_id}` of its landing page.",
  language:
    "The first language of the visitor's browser, to explain the offers of now to such a visitor. Left out, offers for certain languages are explained as if the visitor had one of them, for it is not kept.",
  limit: "From a page: how many standard offers at the most.",
  lang: "Language tags, the most wanted first, with commas or spaces between them: `de-AT,en`. The first of them in a language that the widget speaks decides which texts of an offer are answered, else the first; what is no tag is passed over. Without it `Accept-Language` decides.",
  page: `With an API key: the page, from 1. One past the end is empty and still knows the total. ${ofTheMoment}`,
  pageSize: "With an API key: how many on one page.",
  vertical: "Exactly this vertical.",
  brand: "With an API key: this brand, whatever its letters' case.",
  payoutModel: "With an API key: exactly this model.",
  from: `The first day, of UTC or of \`timeZone\`; left out: ${reportDays.usual} days up to \`to\`.`,
  to: `The last day; ${reportDays.most} days at the most, the first and the last included. Left out: today.`,
  eventType: "Rows in which any of these is above 0. Repeated, or with commas.",
  surface: "Where on the page the offers stood.",
  traffic: "`test` is the traffic of development websites.",
  groupBy: `What rows are told apart by; left out: these four, whatever else there may be one day. Repeated, or with commas. A report of more than ${reportRowsMost} rows is refused.`,
  format: "Or by `Accept: text/csv`.",
  sessionId: "Of the session, from its opening.",
  t: "The token of an offer's link.",
  group: "`server`: the part of the document for publishers' servers alone.",
};

/** Of a call by which a page's visitor is located. */
const hints = {
  country: "From a page: ISO 3166-1 alpha-2; a hint, which never overrides a located address.",
  region:
    "From a page: ISO 3166-2, bare or with the country that `country` names; a hint as `country` is one.",
};

const ofAllWebsites = "Left out: what any website that the API key is good for may show.";
const ofWhichPlace =
  "Without it, and without `country`, the caller's own is located, and `X-Geo-Basis` says so; beside a `requestId` the decision's place counts.";

/** What a parameter means to one operation, where that is not what it means to the others. */
const wordsByOperation: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  decide: hints,
  openSession: hints,
  listOffers: {
    website: `The website's key. From a page: required. With an API key: its offers alone. ${ofAllWebsites}`,
    ip: `With an API key: the visitor's address, for whose place the offers are. ${ofWhichPlace}`,
    country:
      "ISO 3166-1 alpha-2. From a page, required: where the page takes its visitor to be. The offers are those of the decision's place all the same, and where the two differ what is handed out is marked `geo_mismatch`. With an API key: what is offered in this country, its region unknown; with an `ip` in it, the region of that counts too, and beside a `requestId` the decision's place counts.",
    region:
      "From a page: ISO 3166-2, bare or with the country that `country` names; the decision's region decides, whatever stands here.",
  },
};

/** The same where no page is spoken of. */
const wordsForServers: Readonly<Record<string, string>> = {
  website: "The website's key; needed where the API key is good for several.",
  ip: "The visitor's address. Without it the caller's own is located, and `X-Geo-Basis` says so.",
  userAgent: `The visitor's user agent, which with \`ip\` tells one visitor from the next. ${countsOfAgent}`,
  requestId: `Of a decision: for offers at most ${offersLife} old, else of any age.`,
  page: `The page, from 1. One past the end is empty and still knows the total. ${ofTheMoment}`,
  pageSize: "How many on one page.",
  brand: "This brand, whatever its letters' case.",
  payoutModel: "Exactly this model.",
};

const wordsByOperationForServers: typeof wordsByOperation = {
  listOffers: {
    website: `The website's key: its offers alone. ${ofAllWebsites}`,
    ip: `The visitor's address, for whose place the offers are. ${ofWhichPlace}`,
    country:
      "ISO 3166-1 alpha-2: what is offered in this country, its region unknown; with an `ip` in it, the region of that counts too. Beside a `requestId` the decision's place counts.",
  },
};

const listOf = (words: readonly string[]): oas31.SchemaObject => ({
  type: "array",
  items: { type: "string", enum: [...words] },
  minItems: 1,
  maxItems: words.length,
});

/** Digits and lists are text in a query, and whole numbers and lists to whoever reads the document. */
const shapes: Readonly<Record<string, oas31.SchemaObject>> = {
  page: { type: "integer", minimum: 1, maximum: 1_000_000, default: 1 },
  pageSize: { type: "integer", minimum: 1, maximum: pageSizes.most, default: pageSizes.usual },
  limit: { type: "integer", minimum: 1, maximum: offerSlots.standardMost, default: offerSlots.standard },
  eventType: listOf(countedTypes),
  groupBy: { ...listOf(reportDimensions), default: [...defaultGrouping] },
};

const headerParameters = {
  "Idempotency-Key": {
    name: "Idempotency-Key",
    in: "header",
    description: `Makes a repetition within ${durationWords(idempotencySeconds)} the same event. Send one with every event: one that has neither this nor a \`requestId\` counts again when it is sent again.`,
    schema: { type: "string", pattern: "^[\\x21-\\x7e]{1,255}$", maxLength: 255 },
  },
  Origin: {
    name: "Origin",
    in: "header",
    description:
      "Of a page, set by its browser and by nobody else: an origin that is registered for the website. Without it a page's call is refused.",
    schema: { type: "string", maxLength: longestOrigin },
  },
  "X-Integration-Secret": {
    name: "X-Integration-Secret",
    in: "header",
    description: "The integration secret, from a server that cannot set Authorization.",
    schema: { type: "string", maxLength: 200 },
  },
  "Sec-GPC": {
    name: "Sec-GPC",
    in: "header",
    description:
      "Global Privacy Control: with `1` no visitor hash is made. The older header `DNT: 1` is heeded as this one is.",
    schema: { type: "string", enum: ["1"] },
  },
} as const satisfies Record<string, oas31.ParameterObject>;

export type HeaderParameter = keyof typeof headerParameters;

/** What a header means beside that to an operation. */
const headerWordsByOperation: Readonly<Record<string, Partial<Record<HeaderParameter, string>>>> = {
  decide: {
    "Sec-GPC":
      "With an API key the visitor's signal is meant: a server passes on which of the two their browser has sent it.",
  },
};

/** A parameter that travels as a header, with what it means to the operation. */
export function headerParameter(name: HeaderParameter, operationId: string): oas31.ParameterObject {
  const parameter = headerParameters[name];
  const own = headerWordsByOperation[operationId]?.[name];
  return own === undefined ? parameter : { ...parameter, description: `${parameter.description} ${own}` };
}

/** A parameter that was made of its schema, with what it means to the operation. Throws for one that has no meaning yet. */
export function explained<P extends { name: string; schema?: unknown }>(
  parameter: P,
  operationId: string,
  isForServers: boolean,
): P {
  const { name } = parameter;
  const ofOperation = isForServers ? wordsByOperationForServers : wordsByOperation;
  const description =
    ofOperation[operationId]?.[name] ?? (isForServers ? wordsForServers[name] : undefined) ?? words[name];
  if (description === undefined) throw new TypeError(`nobody has said what ${name} means`);
  return {
    ...parameter,
    description,
    schema: shapes[name] ?? withoutMeaning(parameter.schema),
  };
}

/** What its schema means everywhere is said better of the parameter. */
const withoutMeaning = (schema: unknown): object =>
  Object.fromEntries(Object.entries(schema ?? {}).filter(([member]) => member !== "description"));
