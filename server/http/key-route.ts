import type { PathOf } from "@offers/contract/endpoints";
import type { PublisherId } from "@offers/contract/ids";
import type { Scope } from "@offers/contract/words";
import type { Context } from "../context.ts";
import { isLiveApiKey, parseApiKey, type StoredApiKey } from "../core/api-key.ts";
import { readJson } from "./body.ts";
import type { Answer, Call } from "./call.ts";
import { bearerTokenOf, credentialRefused } from "./credentials.ts";
import { Problem } from "./problem.ts";
import { parseQuery, type Reader } from "./read.ts";
import { answerOtherMethods, endpointOf, type Route, refuseWhenFull, type Told, takeTurn } from "./route.ts";

/** Who calls with an API key. */
export type ApiCaller = {
  publisherId: PublisherId;
  /** The one website that the key is good for; null: every website of the publisher. */
  websiteId: number | null;
};

/** What the call of a publisher's server comes to its handler with. */
export type KeyCall<Asked> = {
  /** Its query, or its body. */
  asked: Asked;
  caller: ApiCaller;
  call: Call;
};

/** A route for publishers' servers: let in is who has a live key with the row's scope, within the key's limit. */
export function keyRoute<Asked>(
  context: Context,
  path: PathOf<"server">,
  {
    asks,
    reply,
  }: {
    asks: Reader<Asked>;
    reply: (given: KeyCall<Asked>, context: Context) => Answer | Promise<Answer>;
  },
): Route {
  const endpoint = endpointOf("server", path);
  const { bodyTypes } = endpoint;
  return {
    endpoint,
    answer: (call, told) => {
      const other = answerOtherMethods(endpoint, call);
      if (other !== null) return other;
      refuseWhenFull(endpoint, context);
      const caller = admitKey(context, call, told, endpoint.scope);
      if (bodyTypes === undefined)
        return reply({ asked: asks.read(parseQuery(call)), caller, call }, context);
      return readJson(call, bodyTypes).then((body) =>
        reply({ asked: asks.read(body), caller, call }, context),
      );
    },
  };
}

const admitKey = (context: Context, call: Call, told: Told, scope: Scope | undefined): ApiCaller => {
  const key = keyOf(context, call, told);
  if (key === null) throw credentialRefused();
  takeTurn(context, told, "key", key.id);
  if (scope !== undefined && !key.scopes.includes(scope)) throw insufficientScope(scope);
  context.store.noteKeyUse(key.id, context.clock());
  return { publisherId: key.publisherId, websiteId: key.websiteId };
};

const keyOf = (context: Context, call: Call, told: Told): StoredApiKey | null => {
  const token = bearerTokenOf(call);
  const presented = token === null ? null : parseApiKey(token);
  if (presented === null) return null;
  const stored = context.store.apiKey(presented.id);
  const now = context.clock();
  const live = isLiveApiKey(presented, stored, now) ? stored : null;
  // Its owner is to learn that something still calls with a key that has ended; whoever guesses leaves no trace there.
  const isTrue = live !== null || isLiveApiKey(presented, stored && { ...stored, expiresAt: null }, now);
  if (isTrue) told.keyId = presented.id;
  return live;
};

/** RFC 6750 section 3.1. */
const insufficientScope = (scope: Scope): Problem =>
  new Problem("insufficient_scope", `The API key needs the scope ${scope}.`, {
    headers: [["WWW-Authenticate", `Bearer error="insufficient_scope", scope="${scope}"`]],
  });
