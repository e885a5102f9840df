import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import type { Call } from "../http/call.ts";
import { keepCall } from "../http/node-call.ts";

/** What the library may know of a request. Of the address it came to, and of proxies on the way, it may know nothing. */
const passedOn = ["accept", "authorization", "content-type", "cookie", "origin"] as const;

/**
 * The request as the library is to see it: at BASE_URL, whatever Host and X-Forwarded-* say, and with its body read.
 * It builds addresses by them, and marks its cookies as secure or not.
 */
export function ownRequest(call: Call, body: Uint8Array | null, baseUrl: string): IncomingMessage {
  const { host, protocol } = new URL(baseUrl);
  const req = new IncomingMessage(new Socket());
  keepCall(req, call);
  req.method = call.method;
  req.url = call.query === "" ? call.path : `${call.path}?${withKnownMode(call.query)}`;
  for (const name of passedOn) {
    const value = call.headers[name];
    if (value !== undefined) req.headers[name] = value;
  }
  req.headers.host = host;
  req.headers["x-forwarded-proto"] = protocol.slice(0, -1);
  if (body !== null) {
    req.headers["content-length"] = String(body.length);
    req.push(body);
  }
  req.push(null);
  return req;
}

/**
 * Of the ways in which an answer can come back `query` alone may be asked for: the others would take a script here, or leave
 * the code in an address that stays. The library must know `fragment` besides, by which it tells a partner that wants a
 * token at once that there is no such thing, so whatever is asked for by name is made a mode that it does not know.
 */
const withKnownMode = (query: string): string => {
  // However its name and value are written.
  const asked = new URLSearchParams(query);
  if (asked.getAll("response_mode").every((mode) => mode === "query")) return query;
  asked.set("response_mode", "unsupported");
  return asked.toString();
};
