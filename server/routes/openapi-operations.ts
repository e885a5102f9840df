import { decisionQuery } from "@offers/contract/decision";
import type { endpoints } from "@offers/contract/endpoints";
import { clickBody, impressionBody, snippetPingBody } from "@offers/contract/events";
import { hopQuery } from "@offers/contract/hop";
import { offersQuery } from "@offers/contract/offers";
import { reportQuery } from "@offers/contract/reports";
import { serverDecisionQuery } from "@offers/contract/server-decision";
import { serverEventBody } from "@offers/contract/server-events";
import { serverOffersQuery } from "@offers/contract/server-offers";
import { declineOperations } from "./openapi-decline.ts";
import {
  always,
  body,
  key,
  keyed,
  type Operation,
  page,
  pageEvent,
  pageOfBody,
  pageTypes,
  query,
} from "./openapi-operation.ts";

type Path = (typeof endpoints)[number]["path"];

const recorded =
  "204 says that the event, or its refusal with a reason, is on disk. It does not say that the event counted.";

/** An endpoint of the contract that is not described here does not compile. */
export const operations = {
  "/v1/decision": {
    get: {
      id: "decide",
      tag: "Decision",
      summary: "Is this visitor shown the page as it is?",
      description:
        "With an API key: `serve_overlay` or `pass_through`, and the chosen offer when there is one. " +
        "From a page: whether the visitor is allowed, and what the widget shows when not; `pub` and `website` are required. " +
        "The requestId names the visit in everything that follows.",
      security: [key("decision:read"), page],
      query: decisionQuery.partial().extend(serverDecisionQuery.shape),
      headers: ["Sec-GPC"],
      answers: { 200: "decision" },
      problems: [...always, ...query, ...keyed, "origin_not_allowed", "not_found", "overloaded"],
    },
  },
  "/v1/offers": {
    get: {
      id: "listOffers",
      tag: "Offers",
      summary: "Which offers may be shown?",
      description:
        "With an API key: the catalogue of what the publisher's allowlists permit and the visitor's place is covered by, page by page. " +
        "From a page: the offers of one blocked visit, premium and standard; `website`, `requestId` and `country` are required.",
      security: [key("offers:read"), page],
      query: offersQuery.partial().extend(serverOffersQuery.shape),
      answers: { 200: "offers" },
      problems: [
        ...always,
        ...query,
        ...keyed,
        "origin_not_allowed",
        "invalid_request_id",
        "request_expired",
        "not_found",
        "overloaded",
      ],
    },
  },
  "/v1/events": {
    post: {
      id: "reportEvent",
      tag: "Events",
      summary: "Report what a visitor saw or did",
      description:
        "With a requestId the event belongs to that visit and counts once; without one each event stands for itself and is never billed. " +
        "`accepted: false` says that it is stored and does not count, and `reason` why. " +
        "An Idempotency-Key makes repeating safe for 24 hours: the same body is answered 200 with the first answer.",
      security: [key("events:write")],
      body: { schema: serverEventBody, types: ["application/json"] },
      headers: ["Idempotency-Key"],
      answers: { 200: "repeatedEvent", 201: "event" },
      problems: [
        ...always,
        ...body,
        ...keyed,
        "invalid_request_id",
        "timestamp_out_of_range",
        "not_found",
        "idempotency_mismatch",
        "overloaded",
      ],
    },
  },
  "/v1/reports/aggregate": {
    get: {
      id: "readReport",
      tag: "Reports",
      summary: "Counters by day, website, country and vertical",
      description:
        "Of the publisher's websites, both ends of the range included, the last 30 days unless told otherwise. The totals are the sums of the rows.",
      security: [key("reports:read")],
      query: reportQuery,
      answers: { 200: "report" },
      problems: [...always, "invalid_parameter", "repeated_parameter", ...keyed, "not_found", "overloaded"],
    },
  },
  "/v1/events/impression": {
    post: {
      id: "recordImpression",
      tag: "Events",
      summary: "An offer was seen",
      description: `Once for each requestId and offer, when half of it was visible for a second. ${recorded}`,
      security: [pageOfBody],
      body: { schema: impressionBody, types: pageTypes },
      headers: ["Sec-GPC"],
      answers: { 204: "recorded" },
      problems: pageEvent,
    },
  },
  "/v1/events/click": {
    post: {
      id: "recordClick",
      tag: "Events",
      summary: "A visitor is about to follow an offer's link",
      description: `For analytics and fraud controls; the click hop alone bills. ${recorded}`,
      security: [pageOfBody],
      body: { schema: clickBody, types: pageTypes },
      headers: ["Sec-GPC"],
      answers: { 204: "recorded" },
      problems: pageEvent,
    },
  },
  "/v1/events/snippet-ping": {
    post: {
      id: "pingSnippet",
      tag: "Events",
      summary: "The script is on a page",
      description: "Kept once for each website, host, script version and hour.",
      security: [pageOfBody],
      body: { schema: snippetPingBody, types: pageTypes },
      answers: { 204: "recorded" },
      problems: pageEvent.filter((code) => code !== "invalid_request_id"),
    },
  },
  ...declineOperations,
  "/v1/r": {
    get: {
      id: "followLink",
      tag: "Click",
      summary: "The click itself, on its way to the advertiser",
      description:
        "Every offer's `url` leads here. A click that does not count still arrives. Errors are small pages for whoever accepts HTML.",
      security: [],
      query: hopQuery,
      headers: ["Sec-GPC"],
      answers: { 200: "pausedPage", 302: "redirect" },
      problems: [
        ...always,
        "invalid_token",
        "unauthorized",
        "browser_not_allowed",
        "offer_gone",
        "speculative_request",
        "overloaded",
      ],
    },
  },
  "/v1/whats-my-ip": {
    get: {
      id: "tellAddress",
      tag: "Diagnostics",
      summary: "How does the service see its caller?",
      description: "The caller's own address and place, for setting up a website or a proxy.",
      security: [],
      answers: { 200: "whatsMyIp" },
      problems: [...always, "unauthorized", "browser_not_allowed", "rate_limited"],
    },
  },
  "/v1/openapi.json": {
    get: {
      id: "describe",
      tag: "Diagnostics",
      summary: "This document",
      description: "OpenAPI 3.1, made of the schemas that check the requests.",
      security: [],
      answers: { 200: "openapi" },
      problems: [...always, "browser_not_allowed"],
    },
  },
  "/healthz": {
    get: {
      id: "tellAlive",
      tag: "Diagnostics",
      summary: "Does the process answer?",
      description: "Touches nothing else.",
      security: [],
      answers: { 200: "alive" },
      problems: ["malformed_request", "internal_error"],
    },
  },
  "/readyz": {
    get: {
      id: "tellReady",
      tag: "Diagnostics",
      summary: "May new visitors be sent here?",
      description: "503 while the service starts, drains or is without its database.",
      security: [],
      answers: { 200: "ready" },
      problems: [...always],
    },
  },
} as const satisfies Record<Path, Partial<Record<"get" | "post", Operation>>>;
