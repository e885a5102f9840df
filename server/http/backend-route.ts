import type { PathOf } from "@offers/contract/endpoints";
import type { SecretCarrier } from "@offers/contract/words";
import type { Context } from "../context.ts";
import type { Website } from "../core/catalogue.ts";
import { hashIntegrationSecret, takesSecretIn } from "../core/integration-secret.ts";
import { readJson } from "./body.ts";
import type { Answer, Call } from "./call.ts";
import { bearerTokenOf, isFromPage, secretRefused } from "./credentials.ts";
import { Problem } from "./problem.ts";
import type { Reader } from "./read.ts";
import { answerOtherMethods, endpointOf, type Route, refuseWhenFull, takeTurn } from "./route.ts";

/** What the call of a website's own server comes to its handler with. */
export type BackendCall<Asked> = { asked: Asked; website: Website };

/**
 * A route for websites' own servers, with their integration secret: in `Authorization`, else in
 * `X-Integration-Secret`, else in the body. What stands first counts alone: a wrong one is never made good by another. Where
 * the website has settled on one of these places, a secret in another place is a wrong one.
 */
export function backendRoute<Asked>(
  context: Context,
  path: PathOf<"backend">,
  {
    asks,
    reply,
  }: {
    asks: Reader<Asked>;
    reply: (given: BackendCall<Asked>, context: Context) => Answer | Promise<Answer>;
  },
): Route {
  const endpoint = endpointOf("backend", path);
  const { limit, bodyTypes = [] } = endpoint;
  return {
    endpoint,
    answer: (call, told) => {
      const other = answerOtherMethods(endpoint, call);
      if (other !== null) return other;
      refusePage(call);
      refuseWhenFull(endpoint, context);
      const inHeader = secretOfHeaders(call);
      // A wrong one is refused before its body is read.
      if (inHeader !== null) ownerOf(context, inHeader);
      return readJson(call, bodyTypes).then((body) => {
        const secret = typeof body.secret === "string" ? body.secret : null;
        const { secretId, website } = ownerOf(context, inHeader ?? { carrier: "body", secret });
        const asking = limit === null ? undefined : takeTurn(context, told, limit, secretId);
        const answer = () => reply({ asked: asks.read(body), website }, context);
        return asking === undefined ? answer() : asking.then(answer);
      });
    },
  };
}

/** However a page carries its website's secret, it should not have it. */
const refusePage = (call: Call): void => {
  if (!isFromPage(call)) return;
  throw new Problem("browser_not_allowed", "Only the website's own server may call this, never a page.");
};

/** `secret` is null where it has not its form. */
type Presented = { carrier: Exclude<SecretCarrier, "any">; secret: string | null };

/** Null: no header names one. */
const secretOfHeaders = (call: Call): Presented | null => {
  if (call.headers.authorization !== undefined) {
    return { carrier: "authorization", secret: bearerTokenOf(call) };
  }
  const own = call.every("x-integration-secret");
  if (own.length === 0) return null;
  return { carrier: "x_integration_secret", secret: own.length === 1 ? (own[0] ?? null) : null };
};

/** Looked up by its hash, so that the time it takes tells nothing of another secret. */
const ownerOf = (
  context: Context,
  { carrier, secret }: Presented,
): { secretId: string; website: Website } => {
  const stored =
    secret === null
      ? undefined
      : context.store.integrationSecret(hashIntegrationSecret(secret).toString("base64url"));
  const website = stored && context.store.catalogue().websiteById(stored.websiteId);
  if (!stored || !website || website.archived || !takesSecretIn(website, carrier)) {
    throw secretRefused();
  }
  return { secretId: stored.secretId, website };
};
