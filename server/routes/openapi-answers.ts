import { supportContact } from "@offers/contract/catalogue";
import { blockedExperience, decisionAnswer, widgetSettings } from "@offers/contract/decision";
import {
  expiredSession,
  openedSession,
  readySession,
  sessionState,
  triggerAnswer,
} from "@offers/contract/decline";
import { explainAnswer, explainedEvent, explainedOffer, explainedServed } from "@offers/contract/explain";
import { offersAnswer, servedOffer } from "@offers/contract/offers";
import { aliveAnswer, gpcAnswer, readyAnswer, whatsMyIpAnswer } from "@offers/contract/open";
import { openWords } from "@offers/contract/open-word";
import { type ErrorCode, errorCode, errorCodes, parameterError, problem } from "@offers/contract/problem";
import { currencyTotals, reportAnswer, reportRow, reportTotals } from "@offers/contract/reports";
import { offerSummary, serverDecisionAnswer } from "@offers/contract/server-decision";
import { serverEventAnswer } from "@offers/contract/server-events";
import { catalogueItem, serverOffersAnswer } from "@offers/contract/server-offers";
import type { ZodOpenApiResponseObject } from "zod-openapi";

/** Every answer's shape that has a name in the document; what is sent carries its own in the contract (`meta`). */
export const namedSchemas = {
  Decision: decisionAnswer,
  ServerDecision: serverDecisionAnswer,
  Offers: offersAnswer,
  ServerOffers: serverOffersAnswer,
  Event: serverEventAnswer,
  Report: reportAnswer,
  Explanation: explainAnswer,
  OpenedSession: openedSession,
  SessionState: sessionState,
  Triggered: triggerAnswer,
  WhatsMyIp: whatsMyIpAnswer,
  PrivacyControl: gpcAnswer,
  Alive: aliveAnswer,
  Ready: readyAnswer,
  Problem: problem,
  ErrorCode: errorCode,
  ParameterError: parameterError,
  BlockedExperience: blockedExperience,
  WidgetSettings: widgetSettings,
  SupportContact: supportContact,
  Offer: servedOffer,
  OfferSummary: offerSummary,
  CatalogueItem: catalogueItem,
  ReportRow: reportRow,
  ReportTotals: reportTotals,
  CurrencyTotals: currencyTotals,
  ExplainedOffer: explainedOffer,
  ExplainedServed: explainedServed,
  ExplainedEvent: explainedEvent,
  ReadySession: readySession,
  ExpiredSession: expiredSession,
};

const ref = (name: keyof typeof namedSchemas) => ({ $ref: `#/components/schemas/${name}` });

type Answer = {
  description: string;
  content?: Record<string, object>;
  headers?: readonly HeaderName[];
};

/** Every good answer. Where both groups share a path, its shape tells whom it was for. */
export const answers = {
  decision: {
    description: "The decision, in the shape of the caller's group.",
    content: { "application/json": { oneOf: [ref("ServerDecision"), ref("Decision")] } },
    headers: ["X-Geo-Basis"],
  },
  offers: {
    description: "The offers, in the shape of the caller's group.",
    content: { "application/json": { oneOf: [ref("ServerOffers"), ref("Offers")] } },
    headers: ["X-Geo-Basis"],
  },
  serverDecision: {
    description: "The decision.",
    content: { "application/json": ref("ServerDecision") },
    headers: ["X-Geo-Basis"],
  },
  serverOffers: {
    description: "One page of the catalogue.",
    content: { "application/json": ref("ServerOffers") },
    headers: ["X-Geo-Basis"],
  },
  event: {
    description: "Stored.",
    content: { "application/json": ref("Event") },
  },
  repeatedEvent: {
    description: "Stored before, under the same Idempotency-Key: the first answer.",
    content: { "application/json": ref("Event") },
  },
  report: {
    description: "The rows and their totals; as CSV the rows alone.",
    content: { "application/json": ref("Report"), "text/csv": { type: "string" } },
  },
  jsonReport: {
    description: "The rows and their totals.",
    content: { "application/json": ref("Report") },
  },
  csvReport: {
    description: "The rows.",
    content: { "text/csv": { type: "string" } },
    headers: ["Content-Disposition"],
  },
  explanation: {
    description: "Why.",
    content: { "application/json": ref("Explanation") },
  },
  openedSession: {
    description: "Opened.",
    content: { "application/json": ref("OpenedSession") },
  },
  sessionState: {
    description: "How it stands.",
    content: { "application/json": ref("SessionState") },
  },
  triggered: {
    description: "Ready, by this call or an earlier one.",
    content: { "application/json": ref("Triggered") },
  },
  recorded: { description: "On disk." },
  redirect: {
    description: "The advertiser's page, or the publisher's own when the offer is paused.",
    headers: ["Location"],
  },
  pausedPage: {
    description: "A small page: the offer is paused, and the publisher named no page of its own.",
    content: { "text/html": { type: "string" } },
  },
  whatsMyIp: {
    description: "The caller.",
    content: { "application/json": ref("WhatsMyIp") },
  },
  privacyControl: {
    description: "Since when.",
    content: { "application/json": ref("PrivacyControl") },
  },
  openapi: { description: "The document.", content: { "application/json": { type: "object" } } },
  alive: { description: "It does.", content: { "application/json": ref("Alive") } },
  ready: { description: "They may.", content: { "application/json": ref("Ready") } },
} as const satisfies Record<string, Answer>;

export type AnswerName = keyof typeof answers;

/** Every header that a caller may want to read. */
export const headers = {
  "Request-Id":
    "Names this request in the service's log, and in a problem's `instance`. Every answer has it.",
  RateLimit:
    'What is left of the limit, and the seconds until it is whole again: `"decision";r=59;t=60`. A call that is refused before it is counted has none.',
  "RateLimit-Policy": 'The limit and its window in seconds: `"decision";q=60;w=60`.',
  "Retry-After":
    "Whole seconds after which the next try has a chance. `speculative_request` has none: only who follows the link does.",
  "WWW-Authenticate": "The scheme that is asked for (RFC 6750).",
  "X-Geo-Basis": "`caller-ip` when no `ip` was named, so that the caller's own address was located.",
  Location: "Where to go.",
  "Content-Disposition": "The name of the file.",
} as const;
type HeaderName = keyof typeof headers;

/** On every answer to a call that was counted. */
const limitHeaders = ["RateLimit", "RateLimit-Policy"] as const;

/** Statuses after which the same call may be sent again, and may then succeed. */
const retryable: ReadonlySet<number> = new Set([429, 503]);

const headersOf = (names: readonly HeaderName[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** What of a body of one type are its examples, by their names; nothing where there are none. */
export const jsonExamples = (type: string, examples: Examples) =>
  type === "text/html" || Object.keys(examples).length === 0
    ? {}
    : { examples: Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }])) };

/** Real answers by a name each. */
export type Examples = Readonly<Record<string, unknown>>;

/** A good answer as the document has it; `examples` belong to JSON, and to CSV where they are text. */
export function goodAnswer(
  name: AnswerName,
  examples: Examples,
  isLimited: boolean,
): ZodOpenApiResponseObject {
  const { description, content, headers: own = [] }: Answer = answers[name];
  const names: HeaderName[] = ["Request-Id", ...(isLimited ? limitHeaders : []), ...own];
  const ofType = (type: string) =>
    Object.fromEntries(
      Object.entries(examples).filter(
        ([, value]) => (typeof value === "string") === (type !== "application/json"),
      ),
    );
  return {
    description,
    headers: headersOf(names),
    ...(content && {
      content: Object.fromEntries(
        Object.entries(content).map(([type, schema]) => [
          type,
          { schema, ...jsonExamples(type, ofType(type)) },
        ]),
      ),
    }),
  };
}

/** What no operation tells apart, since it comes before any of them, and what may come one day. */
export const otherProblem: ZodOpenApiResponseObject = {
  description:
    "Any other refusal: of a method that is not the path's (405), of a request that takes too long to arrive (408), or of headers that are too large (431).",
  headers: headersOf(["Request-Id"]),
  content: { "application/problem+json": { schema: ref("Problem") } },
};

/**
 * The problems of one status as the document has them: which codes, and what each looks like. `isCounted`: calls that have
 * one of them may have been counted before. `countsOnceBy`: with what alone a call is the same call when it is sent again.
 */
export function problemAnswer(
  codes: readonly [ErrorCode, ...ErrorCode[]],
  examples: Examples,
  isCounted: boolean,
  countsOnceBy: readonly string[] = [],
): ZodOpenApiResponseObject {
  const { status } = errorCodes[codes[0]];
  const isRetryable = retryable.has(status);
  // After a 429 nothing was done (decisions.md#retryable).
  const isOpen = status === 503 && countsOnceBy.length > 0;
  const named = countsOnceBy.map((name) => `\`${name}\``).join(" and ");
  const names: HeaderName[] = [
    "Request-Id",
    ...(status === 401 || codes.includes("insufficient_scope") ? (["WWW-Authenticate"] as const) : []),
    ...(isCounted ? limitHeaders : []),
    ...(isRetryable ? (["Retry-After"] as const) : []),
  ];
  const shown = Object.fromEntries(
    Object.entries(examples).filter(([name]) => codes.some((code) => code === name)),
  );
  const told = codes.map((code) => `\`${code}\`: ${errorCodes[code].title}.`);
  return {
    description: [
      ...told,
      ...(isRetryable ? ["With `Retry-After`: send it again after so many seconds."] : []),
      ...(isOpen
        ? [`It may have been recorded: a call with neither of ${named} would then count twice.`]
        : []),
    ].join("\n\n"),
    ...(isRetryable && (isOpen ? { "x-retryable-with": [...countsOnceBy] } : { "x-retryable": true })),
    headers: headersOf(names),
    content: {
      "application/problem+json": {
        schema: {
          allOf: [
            ref("Problem"),
            {
              type: "object",
              required: ["status", "code"],
              properties: {
                status: { const: status },
                code: openWords(codes),
              },
            },
          ],
        },
        ...jsonExamples("application/problem+json", shown),
      },
    },
  };
}
