import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import helmet from "helmet";
import type { Answer } from "./call.ts";

export type Header = readonly [name: string, value: string];

/** What an answer that is no page may do in a browser: nothing. */
const baseline = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { "default-src": ["'none'"], "base-uri": ["'none'"], "frame-ancestors": ["'none'"] },
  },
  // Embed files lift it; every other answer is read through CORS or not at all.
  crossOriginResourcePolicy: { policy: "same-origin" },
  // Only for this host: what stands below it may not be ours.
  strictTransportSecurity: { maxAge: 31_536_000, includeSubDomains: false },
  // They speak of plug-ins, of Internet Explorer, or say what `frame-ancestors` says.
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xDnsPrefetchControl: false,
  xXssProtection: false,
  xFrameOptions: false,
  originAgentCluster: false,
  crossOriginOpenerPolicy: false,
});

/** The library sets them on a response that nobody gets: they are the same for every request. */
const headersOfLibrary = (): Header[] => {
  const headers: Header[] = [];
  class Noting extends ServerResponse {
    override setHeader(name: string, value: number | string | readonly string[]): this {
      headers.push([name, String(value)]);
      return this;
    }
  }
  const res = new Noting(new IncomingMessage(new Socket()));
  baseline(res.req, res, () => undefined);
  return headers;
};

/** The headers that every answer starts from. */
export const baselineHead: readonly Header[] = [
  ["Vary", "Origin"],
  ["Cache-Control", "no-store"],
  ...headersOfLibrary(),
];

/** The same for answers that have other values for some of these headers, or more headers. */
export function baselineWith(...own: readonly Header[]): readonly Header[] {
  const names = own.map(([name]) => name);
  return [...baselineHead.filter(([name]) => !names.includes(name)), ...own];
}

/** The answer to the call of that id with its whole head: a header of its own replaces the shared one of that name. */
export function withHead(id: string, answer: Answer, ...shared: (readonly Header[])[]): Answer {
  const { status, headers: own, body, outcome } = answer;
  const headers: string[] = [requestIdHeader, id];
  for (const list of shared) {
    for (const [name, value] of list) {
      if (!own.includes(name)) headers.push(name, value);
    }
  }
  headers.push(...own);
  if (body !== null) headers.push("Content-Length", String(Buffer.byteLength(body)));
  return { status, headers, body, outcome };
}

/** The header by which an answer, the log and a problem speak of one request. */
export const requestIdHeader = "Request-Id";

export const exposedHeaders: readonly string[] = [
  "Retry-After",
  "RateLimit",
  "RateLimit-Policy",
  requestIdHeader,
];

const exposure: Header = ["Access-Control-Expose-Headers", exposedHeaders.join(",")];

/**
 * Lets the page of a registered origin read the answer, whatever it is: a page that may not read a 429 cannot slow
 * down. No credentials, so the grant gives away nothing that a server could not fetch.
 */
export function grantTo(origin: string): Header[] {
  return [["Access-Control-Allow-Origin", origin], exposure];
}
