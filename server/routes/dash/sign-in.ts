import { email as emailAddress } from "@offers/contract/dash/accounts";
import { passwordLength } from "@offers/contract/words";
import type { Context } from "../../context.ts";
import { browserName } from "../../core/browser-family.ts";
import { nextPage } from "../../core/next-page.ts";
import { needsPassword, tokenBytes, tokenHash } from "../../core/session-life.ts";
import { readForm } from "../../http/body.ts";
import type { Answer, Call } from "../../http/call.ts";
import { networkOf } from "../../http/client-address.ts";
import { cookieSessionOf, sessionCookie } from "../../http/cookies.ts";
import type { DashRoute } from "../../http/dash-route.ts";
import { escapeHtml } from "../../http/escape-html.ts";
import { formPage, seeOther } from "../../http/form-page.ts";
import { Problem } from "../../http/problem.ts";
import { parseQuery } from "../../http/read.ts";
import { type Told, takeTurn } from "../../http/route.ts";
import { askOfSession, refuseForeignPage, signedInBy } from "../../http/sign-in.ts";

/** Signing in and out, on pages that need no script. */
export function signInRoutes(context: Context): DashRoute[] {
  const path = "/dash/sign-in";
  return [
    {
      endpoint: { method: "GET", path },
      isPage: true,
      answer: async (call) => {
        const { next: asked, again, anew } = parseQuery(call);
        const next = nextPage(typeof asked === "string" ? asked : undefined);
        // Whoever asks for it may want to sign in as somebody else than who is signed in.
        const by = anew === undefined ? await signedInBy(context, call).catch(nobodyInACrowd) : null;
        if (by === null) return signInPage({ next });
        if (again === undefined || !needsPassword(by, context.clock())) return seeOther(next);
        return signInPage({ next, email: by.email, isAgain: true });
      },
    },
    {
      endpoint: { method: "POST", path },
      isPage: true,
      answer: (call, told) => signIn(context, call, told),
    },
    {
      endpoint: { method: "POST", path: "/dash/sign-out" },
      isPage: true,
      answer: (call) => signOut(context, call),
    },
  ];
}

const signIn = async (context: Context, call: Call, told: Told): Promise<Answer> => {
  refuseForeignPage(call, context.baseUrl);
  const client = context.clientOf(call);
  await takeTurn(context, told, "sign_in", networkOf(client));
  const form = await readForm(call);
  const next = nextPage(form.next);
  const email = form.email ?? "";
  const isAgain = form.again !== undefined;
  const verdict = await checkPassword(context, {
    email,
    password: form.password ?? "",
    network: networkOf(client),
  });
  if (verdict.outcome === "limited") {
    const page = signInPage(
      { next, email, isAgain, wrong: `Too many attempts. Try again in ${minutes(verdict)}.` },
      429,
    );
    return { ...page, headers: [...page.headers, "Retry-After", String(verdict.retrySeconds)] };
  }
  const cookie = verdict.outcome === "right" ? await newSession(context, call, verdict) : null;
  if (cookie === null) {
    return signInPage(
      { next, email, isAgain, wrong: "That e-mail address and password do not belong together." },
      422,
    );
  }
  return seeOther(next, cookie);
};

const minutes = ({ retrySeconds }: { retrySeconds: number }): string => {
  const count = Math.ceil(retrySeconds / 60);
  return count === 1 ? "a minute" : `${count} minutes`;
};

type Verdict =
  | { outcome: "right"; userId: number; passwordHash: string }
  | { outcome: "wrong" }
  | { outcome: "limited"; retrySeconds: number };

/** Whether a password is an account's. An unknown account takes as long, and is answered alike. */
export async function checkPassword(
  context: Context,
  given: { email: string; password: string; network: string },
): Promise<Verdict> {
  const parsed = emailAddress.safeParse(given.email);
  const account = parsed.success ? parsed.data : "";
  const turn = await context.signInLimit.take(account, given.network, performance.now());
  if (!turn.ok) return { outcome: "limited", retrySeconds: turn.retrySeconds };
  const found = await context.desk.ask("findForSignIn", { email: account });
  const isRight = await context.passwords.isRight(given.password.slice(0, 1000), found?.passwordHash ?? null);
  if (!isRight || !found?.passwordHash || found.isDisabled) return { outcome: "wrong" };
  context.signInLimit.forget(account, given.network);
  return { outcome: "right", userId: found.userId, passwordHash: found.passwordHash };
}

/** Begins a session and gives the header that has the browser keep it; null: the password is theirs no more. */
async function newSession(
  context: Context,
  call: Call,
  { userId, passwordHash }: { userId: number; passwordHash: string },
): Promise<readonly string[] | null> {
  const { token, hash } = makeToken(context);
  const session = { userId, passwordHash, hash, agent: agentOf(call) };
  if (!(await context.desk.ask("signIn", session))) return null;
  await endCookiesSession(context, call);
  return sessionCookie(token, context);
}

/** Ends the session of a cookie that is about to be written over by somebody who has come in: nobody could end it afterwards. */
export async function endCookiesSession(context: Context, call: Call): Promise<void> {
  const session = cookieSessionOf(call, context);
  if (session !== null) await context.desk.ask("endSession", { hash: session.hash });
}

export function makeToken({ randomBytes }: Pick<Context, "randomBytes">): { token: string; hash: string } {
  const token = randomBytes(tokenBytes).toString("base64url");
  const hash = tokenHash(token);
  if (hash === null) throw new TypeError("a token of its own form was made");
  return { token, hash };
}

export function agentOf({ headers }: Call): string {
  return browserName(headers["user-agent"] ?? "");
}

/** Whose cookie cannot be looked up, among too many that are made up, may sign in all the same. */
const nobodyInACrowd = (error: unknown): null => {
  if (error instanceof Problem && error.code === "rate_limited") return null;
  throw error;
};

const signOut = async (context: Context, call: Call): Promise<Answer> => {
  refuseForeignPage(call, context.baseUrl);
  await askOfSession(context, call, async (hash) => {
    await context.desk.ask("endSession", { hash });
    return null;
  });
  // What the browser holds of the dashboard's pages goes with it.
  return seeOther("/dash/sign-in", [
    ...sessionCookie(null, context),
    "Clear-Site-Data",
    '"cache", "storage"',
  ]);
};

const signInPage = (
  { next, email = "", wrong, isAgain }: { next: string; email?: string; wrong?: string; isAgain?: boolean },
  status = 200,
): Answer =>
  formPage(
    {
      title: "Sign in",
      body: `${wrong === undefined ? "" : `<p class="wrong" role="alert">${escapeHtml(wrong)}</p>`}${isAgain ? "<p>What comes next gives somebody a right, so give your password once more.</p>" : ""}
<form method="post" action="/dash/sign-in">
<input type="hidden" name="next" value="${escapeHtml(next)}" hidden>${isAgain ? `<input type="hidden" name="again" value="1" hidden>` : ""}
<label>E-mail <input type="email" name="email" autocomplete="username" required maxlength="254" value="${escapeHtml(email)}"${email === "" ? " autofocus" : ""}></label>
<label>Password <input type="password" name="password" autocomplete="current-password" required maxlength="${passwordLength.most}"${email === "" ? "" : " autofocus"}></label>
<button>Sign in</button>
</form>
<p><small>Forgotten it? Ask whoever runs this service for a link to choose a new one.</small></p>`,
    },
    status,
  );
