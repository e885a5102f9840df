import { decisionQuery } from "@offers/contract/decision";
import { openSessionQuery, pollSessionQuery, sessionPath, triggerBody } from "@offers/contract/decline";
import { durationWords } from "@offers/contract/duration-words";
import type { endpoints } from "@offers/contract/endpoints";
import { clickBody, dismissBody, drawnBody, impressionBody, snippetPingBody } from "@offers/contract/events";
import { explainQuery } from "@offers/contract/explain";
import { offersQuery } from "@offers/contract/offers";
import { hopQuery, openapiQuery } from "@offers/contract/open";
import type { ErrorCode } from "@offers/contract/problem";
import { csvReportQuery, reportQuery } from "@offers/contract/reports";
import { serverDecisionQuery } from "@offers/contract/server-decision";
import { serverEventBody } from "@offers/contract/server-events";
import { serverOffersQuery } from "@offers/contract/server-offers";
import { declineSession, idempotencySeconds } from "@offers/contract/words";
import type { ZodOpenApiParameters } from "zod-openapi";
import type { AnswerName } from "./openapi-answers.ts";
import type { HeaderParameter } from "./openapi-parameters.ts";

type Schema = NonNullable<ZodOpenApiParameters["query"]>;

/**
 * What the document says of one path beside what its rows of the contract's table say: callers of both groups share
 * it.
 */
export type Operation = {
  id: string;
  tag: keyof typeof tags;
  summary: string;
  description: string;
  query?: Schema;
  path?: Schema;
  body?: Schema;
  headers?: readonly HeaderParameter[];
  /** Good answers by status. */
  answers: Readonly<Record<number, AnswerName>>;
  /** The problems that the route itself finds. */
  problems?: readonly ErrorCode[];
  /** With what alone it counts once, however often it is sent: header or member. None: whatever it has. */
  countsOnceBy?: readonly string[];
  /** What is different in the document for servers alone: single shapes, and nothing of pages. */
  forServers?: Partial<Pick<Operation, "summary" | "description" | "query" | "answers" | "problems">>;
};

type Path = (typeof endpoints)[number]["path"];

const queryProblems = [
  "missing_parameter",
  "invalid_parameter",
  "repeated_parameter",
] as const satisfies readonly ErrorCode[];
/** Of a page's body, whose two keys may stand in the query instead. */
const pageBodyProblems = [
  "missing_parameter",
  "invalid_parameter",
  "repeated_parameter",
] as const satisfies readonly ErrorCode[];
const bodyProblems = ["missing_parameter", "invalid_parameter"] as const satisfies readonly ErrorCode[];

/** They may stand in the body instead. */
const pageKeys = pollSessionQuery.partial();

const recorded =
  "204 says that the event, or its refusal with a reason, is on disk. It does not say that the event counted.";

/** The chapters of the document. */
export const tags = {
  Decision: "Whether a visitor sees the page as it is.",
  Offers: "What may be shown instead, ranked for one visit or as a catalogue.",
  Events: "What visitors saw and did. Each event is stored, counted or refused with a reason.",
  Reports: "The counters of what was stored, by day and place.",
  Decline: "Offers for a visitor whom the website itself turned down.",
  Click: "The link of an offer, which leads to the advertiser and is billed there once.",
  Diagnostics: "How the service is, and how it sees its caller.",
} as const;

/** An endpoint of the contract that is not described here does not compile. */
export const operations = {
  "/v1/decision": {
    id: "decide",
    tag: "Decision",
    summary: "Is this visitor shown the page as it is?",
    description:
      "With an API key: `serve_overlay` or `pass_through`, and the chosen offer when there is one. " +
      "From a page: whether the visitor is allowed, and what the widget shows when not; `pub` and `website` are required. " +
      "The requestId names the visit in everything that follows.",
    query: decisionQuery.partial().extend(serverDecisionQuery.shape),
    headers: ["Sec-GPC"],
    answers: { 200: "decision" },
    problems: [...queryProblems, "not_found"],
    forServers: {
      summary: "Is this visitor shown the page, or an offer?",
      description:
        "`serve_overlay` or `pass_through`, and the chosen offer when there is one. " +
        "The requestId names the visit in everything that follows.",
      query: serverDecisionQuery,
      answers: { 200: "serverDecision" },
    },
  },
  "/v1/offers": {
    id: "listOffers",
    tag: "Offers",
    summary: "Which offers may be shown?",
    description:
      "With an API key: the catalogue of what the publisher's allowlists permit and the visitor's place is covered by, page by page. " +
      "From a page: the offers of one visit that was blocked, declined or decided for a section, premium and standard; `website`, `requestId` and `country` are required.",
    query: offersQuery.partial().extend(serverOffersQuery.shape),
    answers: { 200: "offers" },
    problems: [...queryProblems, "invalid_request_id", "request_expired", "not_found"],
    forServers: {
      description:
        "The catalogue of what the publisher's allowlists permit and the visitor's place is covered by, page by page. " +
        "With the `requestId` of a decision it is that of its website and place, and each offer has the `url` of its link, whose clicks are that visit's.",
      query: serverOffersQuery,
      answers: { 200: "serverOffers" },
      problems: [
        "invalid_parameter",
        "repeated_parameter",
        "invalid_request_id",
        "request_expired",
        "not_found",
      ],
    },
  },
  "/v1/events": {
    id: "reportEvent",
    tag: "Events",
    summary: "Report what a visitor saw or did",
    description:
      "With a requestId the event belongs to that visit and counts once; without one each event stands for itself and is never billed. " +
      "`accepted: false` says that it is stored and does not count, and `reason` why. " +
      "A member that is a known one in other words, such as `request_id` or `timestamp`, is refused; any other is ignored. " +
      `An Idempotency-Key makes repeating safe for ${durationWords(idempotencySeconds)}: the same body is answered 200 with the first answer.`,
    body: serverEventBody,
    headers: ["Idempotency-Key"],
    countsOnceBy: ["Idempotency-Key", "requestId"],
    answers: { 200: "repeatedEvent", 201: "event" },
    problems: [
      ...bodyProblems,
      "invalid_request_id",
      "timestamp_out_of_range",
      "not_found",
      "idempotency_mismatch",
    ],
  },
  "/v1/reports/aggregate": {
    id: "readReport",
    tag: "Reports",
    summary: "Counters by day, website, country and vertical",
    description:
      "Of the publisher's websites, both ends of the range included, the last 30 days unless told otherwise. The totals are the sums of the rows. A place that was paid in several currencies has a row for each, and one of null for what cost nothing; `spend` and `earnings` of the totals are then null, and `totalsByCurrency` has each sum. `spend` is null throughout where the operator does not tell it, and where there is no website yet.",
    query: reportQuery,
    answers: { 200: "report" },
    problems: ["invalid_parameter", "repeated_parameter", "not_found"],
    forServers: { query: csvReportQuery, answers: { 200: "jsonReport" } },
  },
  "/v1/reports/aggregate.csv": {
    id: "readReportAsCsv",
    tag: "Reports",
    summary: "The same counters as CSV",
    description:
      "The rows alone, after a line with their names; `currency` is empty where no money moved, and `spend` where it is not told. A file to keep, or a sheet to open.",
    query: csvReportQuery,
    answers: { 200: "csvReport" },
    problems: ["invalid_parameter", "repeated_parameter", "not_found"],
  },
  "/v1/explain": {
    id: "explain",
    tag: "Reports",
    summary: "Why was a visitor shown this, and why does an event count or not?",
    description:
      "By exactly one of `requestId`, `eventId` and `clickId`. The decision as it was taken, and as it would be taken now " +
      "with the line of the website's settings that decides; every offer of the catalogue with its rank now or the first " +
      "rule that removes it; what was served; and every event with the reason against it. `now` says whether the website " +
      "or offers have changed since. An id of another publisher is answered as one that nobody has.",
    query: explainQuery,
    answers: { 200: "explanation" },
    problems: [
      "missing_parameter",
      "invalid_parameter",
      "repeated_parameter",
      "invalid_request_id",
      "not_found",
    ],
  },
  "/v1/events/drawn": {
    id: "markDrawn",
    tag: "Events",
    summary: "Offers stand in the page",
    description:
      "Once for each requestId and surface, when the offers have been drawn, seen or not. It tells those that were " +
      "handed out and never shown apart, and a click on one is `fast_click` by the time since. What was not handed " +
      "out, or is marked already, is passed over. 204 says that the mark is on disk.",
    query: pageKeys,
    body: drawnBody,
    answers: { 204: "recorded" },
    problems: [...pageBodyProblems, "invalid_request_id"],
  },
  "/v1/events/impression": {
    id: "recordImpression",
    tag: "Events",
    summary: "An offer was seen",
    description: `Once for each requestId and offer, when half of it, or of one of 242,500 square pixels and more 30 percent, was visible for a second. ${recorded}`,
    query: pageKeys,
    body: impressionBody,
    headers: ["Sec-GPC"],
    answers: { 204: "recorded" },
    problems: [...pageBodyProblems, "invalid_request_id"],
  },
  "/v1/events/click": {
    id: "recordClick",
    tag: "Events",
    summary: "A visitor is about to follow an offer's link",
    description: `For analytics and fraud controls; the click hop alone bills. ${recorded}`,
    query: pageKeys,
    body: clickBody,
    answers: { 204: "recorded" },
    problems: [...pageBodyProblems, "invalid_request_id"],
  },
  "/v1/events/dismiss": {
    id: "dismissOverlay",
    tag: "Events",
    summary: "A visitor has closed the overlay",
    description:
      "For the rest of the UTC day the decisions for this visitor on this website say `show: false`, unless the website's or the tag's frequency is `page`; verdict and counters stay as they are. A tag whose frequency is `day` sends it as soon as the overlay is shown. With `Sec-GPC: 1` here or at the decision nothing is remembered.",
    query: pageKeys,
    body: dismissBody,
    headers: ["Sec-GPC"],
    answers: { 204: "recorded" },
    problems: [...pageBodyProblems, "invalid_request_id"],
  },
  "/v1/events/snippet-ping": {
    id: "pingSnippet",
    tag: "Events",
    summary: "The script is on a page",
    description: "Kept once for each website, host, script version and hour.",
    query: pageKeys,
    body: snippetPingBody,
    answers: { 204: "recorded" },
    problems: pageBodyProblems,
  },
  "/v1/widget-decline/session": {
    id: "openSession",
    tag: "Decline",
    summary: "A page waits for its website's server to decline the visitor",
    description: `The session is bound to the website and to the page's origin, and lives ${durationWords(declineSession.lifeSeconds)}. There is no body.`,
    query: openSessionQuery,
    headers: ["Sec-GPC"],
    answers: { 201: "openedSession" },
    problems: queryProblems,
  },
  "/v1/widget-decline/session/:sessionId": {
    id: "pollSession",
    tag: "Decline",
    summary: "Has the visitor been declined?",
    description:
      "Once `ready` it names the visit, whose offers are then fetched as after a decision. `expired` is final: polling ends. " +
      "An unknown session and one of another website or page are the same 404.",
    query: pollSessionQuery,
    path: sessionPath,
    answers: { 200: "sessionState" },
    problems: [...queryProblems, "not_found"],
  },
  "/v1/widget-decline/trigger": {
    id: "triggerSession",
    tag: "Decline",
    summary: "Decline the visitor who waits",
    description:
      "From the website's own server, with its integration secret: as a bearer token, in `X-Integration-Secret`, or as `secret` in the body. " +
      "`reason` and `suppressVerticals` withhold offers from a visitor who has to be protected. " +
      "A member that is a known one in other words, such as `suppress_verticals`, is refused; any other is ignored. " +
      "Repeating it changes nothing and is answered alike. Until it expires the session is then `ready`.",
    body: triggerBody,
    headers: ["X-Integration-Secret"],
    answers: { 200: "triggered" },
    problems: [...bodyProblems, "not_found", "session_expired"],
  },
  "/v1/r": {
    id: "followLink",
    tag: "Click",
    summary: "The click itself, on its way to the advertiser",
    description:
      "Every offer's `url` leads here. A click that does not count still arrives. Errors are small pages for whoever accepts HTML.",
    query: hopQuery,
    headers: ["Sec-GPC"],
    answers: { 200: "pausedPage", 302: "redirect" },
    problems: ["invalid_token", "offer_gone", "speculative_request"],
  },
  "/v1/whats-my-ip": {
    id: "tellAddress",
    tag: "Diagnostics",
    summary: "How does the service see its caller?",
    description: "The caller's own address and place, for setting up a website or a proxy.",
    answers: { 200: "whatsMyIp" },
  },
  "/v1/openapi.json": {
    id: "describe",
    tag: "Diagnostics",
    summary: "This document",
    description:
      "OpenAPI 3.1, made of the schemas that check the requests. With `group=server` the part for publishers' servers: " +
      "single shapes on the paths that both groups share, for whoever generates a client.",
    query: openapiQuery,
    problems: ["invalid_parameter", "repeated_parameter"],
    answers: { 200: "openapi" },
  },
  "/.well-known/gpc.json": {
    id: "tellPrivacyControl",
    tag: "Diagnostics",
    summary: "Is Global Privacy Control honoured?",
    description: "It is: with `Sec-GPC: 1` no hash of the visitor is made or stored.",
    answers: { 200: "privacyControl" },
  },
  "/healthz": {
    id: "tellAlive",
    tag: "Diagnostics",
    summary: "Does the process answer?",
    description: "Touches nothing else.",
    answers: { 200: "alive" },
  },
  "/readyz": {
    id: "tellReady",
    tag: "Diagnostics",
    summary: "May new visitors be sent here?",
    description:
      "503 while the service starts, drains, is without its database, or has a clock that is not set or wrong.",
    answers: { 200: "ready" },
    problems: ["unavailable"],
  },
} as const satisfies Record<Path, Operation>;
