import { callHeaders } from "@offers/contract/dash/call-headers";
import type { Context } from "../context.ts";
import { isFromOwnPage } from "../core/same-origin.ts";
import type { SignedIn } from "../core/signed-in.ts";
import type { Answer, Call } from "./call.ts";
import { networkOf } from "./client-address.ts";
import { cookieSessionOf } from "./cookies.ts";
import { seeOther } from "./form-page.ts";
import { Problem } from "./problem.ts";

/** Who made a call, by its cookie, as accounts and roles stand at this moment; null: nobody who is signed in. */
export async function signedInBy(context: Context, call: Call): Promise<SignedIn | null> {
  const found = await findSession(context, call);
  if (found === null) return null;
  const { signedIn, isSeenDue } = found;
  if (isSeenDue && call.headers[callHeaders.unattended] === undefined) {
    // Nobody waits for that: a session that was used and not noted only ends a little early.
    context.desk.ask("touchSession", { sessionId: signedIn.sessionId }).catch(() => undefined);
  }
  return signedIn;
}

/** Whether somebody is signed in, for what is fetched without anybody asking for it: it is no use of their session. */
export async function isSignedIn(context: Context, call: Call): Promise<boolean> {
  return (await findSession(context, call)) !== null;
}

const findSession = (context: Context, call: Call) =>
  askOfSession(context, call, (hash) => context.desk.ask("findSession", { hash }));

/**
 * Asks the desk about the session that a call's cookie names; null: there is none. A cookie that anybody can have made up is
 * asked about so often a minute and network and no more, while those that this service has signed go on
 * (decisions.md#made-up-cookies).
 */
export async function askOfSession<Found>(
  context: Context,
  call: Call,
  ask: (hash: string) => Promise<Found | null>,
): Promise<Found | null> {
  const session = cookieSessionOf(call, context);
  if (session === null) return null;
  if (session.isSigned) return ask(session.hash);
  return askOfUnknown(context, call, () => ask(session.hash));
}

/**
 * Asks about what anybody can have made up; null: there is none. What is not found is asked about so often a minute and
 * network and no more.
 */
export async function askOfUnknown<Found>(
  context: Context,
  call: Call,
  ask: () => Promise<Found | null>,
): Promise<Found | null> {
  const network = networkOf(context.clientOf(call));
  const turn = context.unknownSessions.take(network, performance.now());
  if (!turn.ok) {
    const message = "Too many cookies or links of nobody came from this network. Try again later.";
    throw new Problem("rate_limited", message, { headers: [["Retry-After", String(turn.retrySeconds)]] });
  }
  const found = await ask();
  if (found !== null) context.unknownSessions.giveBack(network);
  return found;
}

/** Refuses a change that no page of ours has asked for (decisions.md#same-origin). */
export function refuseForeignPage(call: Pick<Call, "headers">, baseUrl: string): void {
  if (!isOwnPagesCall(call, baseUrl))
    throw new Problem("cross_site", "Only pages of this service may do this.");
}

/** Whether a page of ours makes a call that changes something. */
export function isOwnPagesCall({ headers }: Pick<Call, "headers">, baseUrl: string): boolean {
  const site = headers["sec-fetch-site"];
  return isFromOwnPage(
    { site: typeof site === "string" ? site : undefined, origin: headers.origin },
    baseUrl,
  );
}

/** Sends somebody to sign in, and back; `isAgain`: who is signed in as well, unless they gave their password a moment ago. */
export function signInFirst(next: string, isAgain = false): Answer {
  return seeOther(`/dash/sign-in?${isAgain ? "again=1&" : ""}next=${encodeURIComponent(next)}`);
}
