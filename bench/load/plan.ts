import type { MadeWebsite } from "../catalogue.ts";

/** The five busy paths, in the order in which one visit walks them: each is fed by the answers of those before. */
export const paths = ["decision", "offers", "impression", "hop", "keyDecision"] as const;
export type Path = (typeof paths)[number];

/** `yardstick`: `GET /` with a visitor's headers. `mixed`: all five paths, in the shares of `mixedShares`. */
export type Traffic = "yardstick" | "mixed" | Path;

/** What a hundred calls of a site's ordinary day are. */
export const mixedShares: Record<Path, number> = {
  decision: 50,
  offers: 15,
  impression: 25,
  hop: 5,
  keyDecision: 5,
};

/** Any other status is an answer that cost less than it should have. */
export const goodStatus: Record<Path | "yardstick", number> = {
  yardstick: 200,
  decision: 200,
  offers: 200,
  impression: 204,
  hop: 302,
  keyDecision: 200,
};

/** A country and the first halves (`81.92`) of IPv4 addresses that the service locates there. */
export type Place = { country: string; prefixes: readonly string[] };

/** Whom the generator plays: visitors of these websites at addresses of these places, and one publisher's server. */
export type World = {
  websites: readonly MadeWebsite[];
  places: readonly Place[];
  /** The value of the publisher's `Authorization` header. */
  authorization: string;
};

/**
 * `counted`: so many requests over so many clients, each sending its next one when its answer is complete, all of
 * them made before the clock starts. `timed`: the same for so many seconds, made as they are sent; a client that is
 * refused waits `refusedPauseMs`. `open`: requests leave at random moments at a rate that heeds no answer, phase
 * after phase without a pause.
 */
export type Shape =
  | { kind: "counted"; clients: number; requests: number }
  | { kind: "timed"; clients: number; seconds: number }
  | { kind: "open"; phases: readonly Phase[]; mostConnections: number };

type Phase = { perSecond: number; seconds: number };

export type LoadPlan = { url: string; traffic: Traffic; shape: Shape };

export type Latencies = { p50: number; p99: number; most: number };

/** A quarter of a second of a run: what became of the requests that were due in it. `other`: neither good nor refused, or unsent. */
export type Slice = { good: number; refused: number; other: number; p95: number };

/** Of a run, or of one phase of an open loop: of the requests that were due in it. */
export type LoadResult = {
  /** Until the last of them was answered. */
  seconds: number;
  /** Good answers a second. */
  perSecond: number;
  good: number;
  /** Answers 503. */
  refused: number;
  /** Everything else: `decision 404`, how often. `0` stands for a connection that broke off. */
  wrong: Record<string, number>;
  /** In milliseconds; of an open loop counted from the moment at which the request was due. */
  goodMs: Latencies;
  refusedMs: Latencies | null;
  slices: Slice[];
  /** Requests that were due while every connection was in use. */
  unsent: number;
  /** Requests that were sent again over a fresh connection, for the kept one was closed as they were sent. */
  resent: number;
  /** How late the generator itself was, at the 99th percentile, in milliseconds; only of an open loop. */
  latenessMs: number;
  /** Share of one core that the generator used: near 1 it measured itself. */
  generatorLoad: number;
  /** Events that the good answers say were stored: one a decision, impression and hop, one for each offer served. */
  events: number;
};
