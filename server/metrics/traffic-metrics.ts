import { alone, byLabel, type Metric } from "./metric.ts";

/** What was asked and answered over HTTP. */
export const trafficMetrics: readonly Metric[] = [
  {
    name: "offers_http_requests_total",
    kind: "counter",
    help: "Requests that were answered, by the contract's route and the answer's status; none: the client left before.",
    labels: ["group", "route", "method", "status"],
    read: ({ requests }) => requests.requests.map(({ requests: value, ...labels }) => ({ labels, value })),
  },
  {
    name: "offers_http_request_duration_seconds",
    kind: "histogram",
    help: "From the head of a request to the end of its answer.",
    labels: ["group", "route"],
    read: ({ requests }) => requests.seconds.map(({ counts, ...labels }) => ({ labels, counts })),
  },
  {
    name: "offers_http_requests_waiting",
    kind: "gauge",
    help: "Requests that are waited for at this moment.",
    labels: [],
    read: ({ service }) => alone(service?.load.underWay),
  },
  {
    name: "offers_http_refusals_total",
    kind: "counter",
    help: "Answers that are problems, by the code that they tell. overloaded: turned away at the door.",
    labels: ["code"],
    read: ({ requests }) => byLabel("code", requests.refused),
  },
  {
    name: "offers_http_connections_refused_total",
    kind: "counter",
    help: "Connections that were ended, by the limit that was passed: of all, of one address, of requests that wait (unanswered), of the time for reading an answer (unread) or making it (late).",
    labels: ["limit"],
    read: ({ refusedConnections }) => byLabel("limit", refusedConnections),
  },
  {
    name: "offers_decisions_total",
    kind: "counter",
    help: "Decisions about visitors, for pages and for servers, by what they are: allowed, or why not.",
    labels: ["group", "reason"],
    read: ({ requests: { decided } }) =>
      (["embed", "server"] as const).flatMap((group) =>
        decided[group].map(([reason, value]) => ({ labels: { group, reason }, value })),
      ),
  },
  {
    name: "offers_offer_answers_total",
    kind: "counter",
    help: "Answers to pages that ask for offers: offers, or why there are none.",
    labels: ["outcome"],
    read: ({ requests }) => byLabel("outcome", requests.offered),
  },
];
