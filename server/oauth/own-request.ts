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
  req.url = call.query === "" ? call.path : `${call.path}?${withKnownWords(call.query)}`;
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

/** What OpenID Connect asks by, which the library refuses where nobody asks for an identity. */
const ofIdentity = ["acr_values", "claims_locales", "id_token_hint", "max_age", "nonce"];

const knownPrompts = ["none", "login", "consent"];

/**
 * What is asked of the library. A parameter that OAuth 2.0 does not know is passed over (RFC 6749 section 3.1), as many
 * libraries of partners send those of OpenID Connect along.
 *
 * Of the ways in which an answer can come back `query` alone may be asked for: the others would take a script here, or leave
 * the code in an address that stays. The library must know `fragment` besides, by which it tells a partner that wants a
 * token at once that there is no such thing, so whatever is asked for by name is made a mode that it does not know.
 */
const withKnownWords = (query: string): string => {
  // However its names and values are written.
  const asked = new URLSearchParams(query);
  for (const name of ofIdentity) asked.delete(name);
  // One without a value counts as left out (the same section).
  const modes = asked.getAll("response_mode").filter((mode) => mode !== "");
  if (modes.length === 0) asked.delete("response_mode");
  else if (modes.some((mode) => mode !== "query")) asked.set("response_mode", "unsupported");
  const prompts = asked.getAll("prompt").flatMap((prompt) => prompt.split(" "));
  const known = prompts.filter((word) => knownPrompts.includes(word));
  if (known.length === 0) asked.delete("prompt");
  else if (known.length < prompts.length) asked.set("prompt", known.join(" "));
  // The library would leave that one out of the others, unasked.
  if (asked.get("scope")?.split(" ").includes("offline_access")) asked.set("scope", "unsupported");
  return asked.toString();
};
