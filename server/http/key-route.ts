import type { Endpoint, PathOf } from "@offers/contract/endpoints";
import type { PublisherId } from "@offers/contract/ids";
import type { Scope } from "@offers/contract/words";
import type { Context } from "../context.ts";
import { isLiveApiKey, parseApiKey, type StoredApiKey } from "../core/api-key.ts";
import { hashOauthToken, looksLikeAccessToken } from "../core/oauth.ts";
import { readJson } from "./body.ts";
import type { Answer, Call } from "./call.ts";
import { bearerTokenOf, credentialRefused } from "./credentials.ts";
import { Problem } from "./problem.ts";
import { parseQuery, type Reader } from "./read.ts";
import { answerOtherMethods, endpointOf, type Route, refuseWhenFull, type Told, takeTurn } from "./route.ts";

/** Whose websites a call may be about. */
export type ApiCaller = {
  publisherId: PublisherId;
  /** The one website that the key is good for; null: every website of the publisher. */
  websiteId: number | null;
};

/** Who calls with an API key, or with an access token. */
type CredentialHolder = ApiCaller & {
  /** The client id of the partner whose token it is; null: it is a key of the publisher's own. */
  partner: string | null;
};

/** What the call of a publisher's server comes to its handler with. */
export type KeyCall<Asked> = {
  /** Its query, or its body. */
  asked: Asked;
  caller: CredentialHolder;
  call: Call;
};

/** A route for publishers' servers: let in is who has a live key, or a partner's token, with the row's scope, within its limit. */
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
      const answerTo = (caller: CredentialHolder): Answer | Promise<Answer> => {
        if (bodyTypes === undefined)
          return reply({ asked: asks.read(parseQuery(call)), caller, call }, context);
        return readJson(call, bodyTypes).then((body) =>
          reply({ asked: asks.read(body), caller, call }, context),
        );
      };
      const bearer = bearerTokenOf(call);
      if (bearer !== null && looksLikeAccessToken(bearer))
        return admitPartner(context, bearer, told, endpoint).then(answerTo);
      const caller = admitKey(context, bearer, told, endpoint);
      return caller instanceof Promise ? caller.then(answerTo) : answerTo(caller);
    },
  };
}

/** Keys are in memory, so that a call with one waits for no more than other nodes' counts. */
const admitKey = (
  context: Context,
  bearer: string | null,
  told: Told,
  { limit, scope }: Endpoint,
): CredentialHolder | Promise<CredentialHolder> => {
  const key = keyOf(context, bearer, told);
  if (key === null) throw credentialRefused();
  const callerOf = (): CredentialHolder => {
    if (scope !== undefined && !key.scopes.includes(scope)) throw insufficientScope("API key", scope);
    context.store.noteKeyUse(key.id, context.clock());
    return { publisherId: key.publisherId, websiteId: key.websiteId, partner: null };
  };
  const asking = limit === null ? undefined : takeTurn(context, told, limit, key.id);
  return asking === undefined ? callerOf() : asking.then(callerOf);
};

/** A partner's token opens what a person has allowed for one publisher; calls are counted for that connection. */
const admitPartner = async (
  context: Context,
  bearer: string,
  told: Told,
  { limit, scope }: Endpoint,
): Promise<CredentialHolder> => {
  const token = await context.store.accessToken(hashOauthToken(bearer));
  const now = context.clock();
  if (token === null || now >= token.expiresAt) throw credentialRefused();
  if (limit !== null) await takeTurn(context, told, limit, token.grantId);
  if (scope !== undefined && !token.scopes.includes(scope)) throw insufficientScope("access token", scope);
  context.store.noteGrantUse(token.grantId, now);
  return { publisherId: token.publisherId, websiteId: null, partner: token.clientId };
};

const keyOf = (context: Context, bearer: string | null, told: Told): StoredApiKey | null => {
  const presented = bearer === null ? null : parseApiKey(bearer);
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
const insufficientScope = (credential: "API key" | "access token", scope: Scope): Problem =>
  new Problem("insufficient_scope", `The ${credential} needs the scope ${scope}.`, {
    headers: [["WWW-Authenticate", `Bearer error="insufficient_scope", scope="${scope}"`]],
  });
