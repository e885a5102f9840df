import type { IncomingHttpHeaders } from "node:http";
import type { DashErrorCode, ErrorCode } from "@offers/contract/problem";
import type { BlockReason, EmptyReason } from "@offers/contract/words";

/** A request as plain values: all that a route ever sees of HTTP. */
export type Call = {
  /** Names this request in its answer, in the log and in a problem's `instance`; never what the caller sent. */
  id: string;
  method: string;
  /** As it was sent: percent-encoded, without the query. */
  path: string;
  /** What stands behind the question mark; `""` when there is none. */
  query: string;
  /** By name in lower case. A header that was sent several times stands here as Node joins it, or once. */
  headers: IncomingHttpHeaders;
  /** Every value of a header, in the order of arrival. */
  every(name: string): readonly string[];
  /** The address at the other end of the connection; undefined when it is gone already. */
  peer: string | undefined;
  /** Reads the body; null when it has more than `most` bytes. Rejects when the client goes before its end. */
  body(most: number): Promise<Uint8Array | null>;
};

/** What is answered to a call. */
export type Answer = {
  status: number;
  /** Names and values in turn. */
  headers: string[];
  /** Null: there is none. */
  body: string | Uint8Array | null;
  /** What it comes to, for whoever counts answers; absent: its status says enough. */
  outcome?: Outcome | undefined;
};

/** What an answer comes to, each a word of a closed list. */
export type Outcome =
  /** Why a call was refused. */
  | { kind: "refused"; by: ErrorCode | DashErrorCode }
  /** What a visitor sees: the page, or an overlay and why. */
  | { kind: "decided"; by: "allowed" | BlockReason }
  /** Whether there are offers, and why not. */
  | { kind: "offered"; by: "offers" | EmptyReason };
