import { type Scope, scopes } from "@offers/contract/words";
import type Provider from "oidc-provider";
import type { Context } from "../context.ts";
import {
  type ConsentOutcome,
  hashOauthToken,
  mayConnectPartners,
  type NewGrant,
  scopesIn,
} from "../core/oauth.ts";
import { needsPassword } from "../core/session-life.ts";
import type { Membership, SignedIn } from "../core/signed-in.ts";
import type { Answer, Call } from "../http/call.ts";
import { seeOther } from "../http/form-page.ts";
import { isOwnPagesCall, signInFirst } from "../http/sign-in.ts";
import { smallPage } from "../http/small-page.ts";
import { connectPath } from "./connect-path.ts";
import { consentPage } from "./consent-page.ts";
import { type Trouble, wordsOf } from "./trouble-page.ts";

/** A partner's question that waits for a person's answer, as the browser that was asked has it. */
export type Asked = {
  uid: string;
  clientId: string;
  partner: string;
  scopes: readonly Scope[];
  redirectUri: string;
  /** Where its answer leads. */
  returnTo: string;
  isAnswered: boolean;
};

/** Answers the browser that the partner has sent: the page that asks, or the way to sign in before. */
export async function askForConsent(
  asked: Asked | null,
  call: Call,
  context: Given["context"],
): Promise<Answer> {
  if (asked === null) return troublePage("expired");
  if (asked.isAnswered) return seeOther(asked.returnTo);
  // The partner hears of it without anybody being asked to sign in.
  if (asked.scopes.length === 0) return refuse(asked, "invalid_scope", noScope, context);
  const who = await context.oauth.signedIn(call);
  if (who === null) return signInFirst(connectPath(asked.uid));
  return consentPage({ ...asked, who, publishers: connectable(who), chosen: chosenIn(call) });
}

/** The publisher that was chosen before the password was asked for. */
const chosenIn = (call: Call): string | null => new URLSearchParams(call.query).get("publisher");

/** What an answer is judged and kept by. */
type Given = { context: Pick<Context, "baseUrl" | "clock" | "oauth">; provider: Provider };

/** Takes a person's answer: what it comes to, or the page once more. */
export async function takeConsent(
  asked: Asked | null,
  call: Call,
  form: URLSearchParams,
  given: Given,
): Promise<Answer> {
  if (!isOwnPagesCall(call, given.context.baseUrl)) return troublePage("not_ours", 403);
  if (asked === null) return troublePage("expired");
  if (asked.isAnswered) return seeOther(asked.returnTo);
  const who = await given.context.oauth.signedIn(call);
  if (who === null) return signInFirst(connectPath(asked.uid));
  const publishers = connectable(who);
  const chosen = form.get("publisher");
  const again = (complaint: string) => consentPage({ ...asked, who, publishers, chosen, complaint });
  // Somebody else has signed in since the page was drawn, and has not seen it.
  if (form.get("user") !== String(who.userId))
    return again("You have signed in as somebody else. Look again.");
  if (form.get("answer") === "deny") {
    return refuse(asked, "access_denied", "The person did not allow it.", given.context);
  }
  if (form.get("answer") !== "allow") return again("Choose Allow or Deny.");
  const publisher = publishers.find(({ publisherId }) => publisherId === chosen);
  if (publisher === undefined) return again("Choose one of your publishers.");
  // What gives a right asks for a password of the last quarter of an hour (decisions.md#disconnecting-asks-no-password).
  if (needsPassword(who, given.context.clock())) {
    const { publisherId } = publisher;
    return signInFirst(`${connectPath(asked.uid)}?${new URLSearchParams({ publisher: publisherId })}`, true);
  }
  if (await connect(asked, { who, publisher }, given)) return seeOther(asked.returnTo);
  const others = publishers.filter((one) => one !== publisher);
  const complaint = "You may not connect it any more.";
  return consentPage({ ...asked, who, publishers: others, chosen: null, complaint });
}

/** Keeps that nothing is connected, and leads to where the partner is told. */
const refuse = async (
  asked: Asked,
  error: "access_denied" | "invalid_scope",
  error_description: string,
  context: Given["context"],
): Promise<Answer> => {
  await answer(asked, { result: { error, error_description }, grant: null, who: null }, context);
  return seeOther(asked.returnTo);
};

/**
 * Keeps the connection: the library's record of it, and ours, which says for whom. False: the person was free to do so when
 * they were looked up, and is not any more.
 */
const connect = async (
  asked: Asked,
  { who, publisher }: { who: SignedIn; publisher: Membership },
  { context, provider }: Given,
): Promise<boolean> => {
  const record = new provider.Grant({ accountId: String(who.userId), clientId: asked.clientId });
  const words = asked.scopes.join(" ");
  // Both: the library would ask a second time for what it knows of the one kind alone.
  record.addOIDCScope(words);
  record.addResourceScope(context.baseUrl, words);
  const grantId = await record.save();
  const { clientId, scopes: granted } = asked;
  const { publisherId } = publisher;
  const outcome = await answer(
    asked,
    {
      result: { login: { accountId: record.accountId, remember: false }, consent: { grantId } },
      grant: { grantId, clientId, userId: who.userId, publisherId, scopes: granted, at: context.clock() },
      who,
    },
    context,
  );
  if (outcome !== "kept") await record.destroy();
  return outcome !== "not_allowed";
};

/**
 * Keeps the first answer alone, and says what became of this one: a page is easily sent twice. The library would keep each, so
 * it is not told, and reads the one that is kept when the browser comes to where it leads.
 */
const answer = (
  { uid }: Asked,
  { who, ...given }: { result: Record<string, unknown>; grant: NewGrant | null; who: SignedIn | null },
  { oauth, clock }: Given["context"],
): Promise<ConsentOutcome> =>
  oauth.rows.answerConsent({ model: "Interaction", idHash: hashOauthToken(uid), ...given, at: clock() }, who);

/** What the consent under way asks for; null: this browser has none of this name. */
export async function readAsked(
  provider: Provider,
  found: FoundInteraction,
  uid: string,
): Promise<Asked | null> {
  if (found === null || found.uid !== uid) return null;
  const { params, result, returnTo } = found;
  const client = await provider.Client.find(String(params.client_id));
  if (client === undefined) return null;
  return {
    uid,
    clientId: client.clientId,
    partner: client.clientName ?? client.clientId,
    scopes: askedScopes(params.scope),
    redirectUri: String(params.redirect_uri),
    returnTo,
    isAnswered: result !== undefined,
  };
}

export type FoundInteraction = Pick<
  Awaited<ReturnType<Provider["interactionDetails"]>>,
  "uid" | "params" | "result" | "returnTo"
> | null;

/** None for a word that is no scope: the library would leave it out, and the partner would find out late. */
const askedScopes = (scope: unknown): Scope[] => {
  const words = typeof scope === "string" ? scope.split(" ") : [];
  const known = scopesIn(words.join(" "));
  return words.every((word) => known.some((one) => one === word)) ? known : [];
};

const noScope = `scope must name one or more of these, and nothing else: ${scopes.join(", ")}`;

const connectable = ({ memberships }: SignedIn): Membership[] =>
  memberships.filter(({ role }) => mayConnectPartners(role));

export function troublePage(trouble: Trouble, status = 400): Answer {
  return smallPage(wordsOf(trouble), status);
}
