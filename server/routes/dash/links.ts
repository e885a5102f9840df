import { email as emailAddress, password as newPassword } from "@offers/contract/dash/accounts";
import { passwordLength } from "@offers/contract/words";
import type { Context } from "../../context.ts";
import { firstPage } from "../../core/next-page.ts";
import type { AnswerOf } from "../../desk/desk.ts";
import { readForm } from "../../http/body.ts";
import type { Answer, Call } from "../../http/call.ts";
import { networkOf } from "../../http/client-address.ts";
import { sessionCookie } from "../../http/cookies.ts";
import { type DashRoute, prepareParams } from "../../http/dash-route.ts";
import { escapeHtml } from "../../http/escape-html.ts";
import { formPage, seeOther } from "../../http/form-page.ts";
import { type Told, takeTurn } from "../../http/route.ts";
import { askOfUnknown, refuseForeignPage, signedInBy, signInFirst } from "../../http/sign-in.ts";
import { agentOf, endCookiesSession, makeToken } from "./sign-in.ts";

type Link = NonNullable<AnswerOf<"findLink">>;

const path = "/dash/link/:token";
const tokenOf = prepareParams(path);

/** Links by which people come in: to set the service up, to join a team, to choose a password. GET uses none of them up. */
export function linkRoutes(context: Context): DashRoute[] {
  return [
    {
      endpoint: { method: "GET", path },
      isPage: true,
      answer: async (call) => {
        const { token = "" } = tokenOf(call.path);
        const link = await askOfUnknown(context, call, () => context.desk.ask("findLink", { token }));
        return link === null ? gonePage() : await linkPage(context, call, link);
      },
    },
    { endpoint: { method: "POST", path }, isPage: true, answer: (call, told) => follow(context, call, told) },
  ];
}

const follow = async (context: Context, call: Call, told: Told): Promise<Answer> => {
  refuseForeignPage(call, context.baseUrl);
  await takeTurn(context, told, "sign_in", networkOf(context.clientOf(call)));
  const { token = "" } = tokenOf(call.path);
  const link = await context.desk.ask("findLink", { token });
  if (link === null) return gonePage();
  const form = await readForm(call);
  const own = link.email ?? form.email ?? "";
  const by = await signedInBy(context, call);
  if (link.kind === "invitation" && link.hasAccount) {
    // Their account stays theirs: the link alone, which others may have read, opens no more than the team.
    if (by?.email !== link.email) return signInFirst(call.path);
  }
  if (link.email === null) {
    const parsed = emailAddress.safeParse(own);
    if (!parsed.success)
      return linkPage(context, call, link, {
        wrong: "This is no e-mail address: one looks like ada@example.com.",
        email: own,
      });
  }
  let passwordHash: string | null = null;
  if (asksForPassword(link)) {
    const parsed = newPassword.safeParse(form.password ?? "");
    if (!parsed.success) {
      const message = parsed.error.issues[0]?.message ?? "is not valid";
      return linkPage(context, call, link, { wrong: `The password ${message}.`, email: own });
    }
    passwordHash = await context.passwords.hash(parsed.data);
  }
  const session = makeToken(context);
  const { hasBegun } = await context.desk.ask("redeemLink", {
    token,
    email: own,
    passwordHash,
    byUserId: by?.userId ?? null,
    session: { hash: session.hash, agent: agentOf(call) },
  });
  if (!hasBegun) return seeOther(firstPage);
  await endCookiesSession(context, call);
  return seeOther(firstPage, [...sessionCookie(session.token, context)]);
};

/** A member who joins one more team keeps the password, and the link that signs in asks for none. */
const asksForPassword = ({ kind, hasAccount }: Link): boolean =>
  kind !== "sign_in" && !(kind === "invitation" && hasAccount);

const gonePage = (): Answer =>
  formPage(
    {
      title: "This link cannot be used",
      body: `<p>It was used already, or it is too old. Ask whoever sent it for another one.</p>
<p><a href="/dash/sign-in">Sign in</a></p>`,
    },
    404,
  );

const linkPage = async (
  context: Context,
  call: Call,
  link: Link,
  more: { wrong?: string; email?: string } = {},
): Promise<Answer> => {
  if (link.kind === "invitation" && link.hasAccount) {
    const by = await signedInBy(context, call);
    if (by === null) return signInFirst(call.path);
    if (by.email !== link.email) return othersPage(link, call.path);
  }
  const { title, text, button } = wordsOf(link);
  return formPage(
    {
      title,
      body: `${more.wrong === undefined ? "" : `<p class="wrong" role="alert">${escapeHtml(more.wrong)}</p>`}
<p>${escapeHtml(text)}</p>
<form method="post" action="${escapeHtml(call.path)}">
${link.email === null ? `<label>E-mail <input type="email" name="email" autocomplete="username" required maxlength="254" value="${escapeHtml(more.email ?? "")}" autofocus></label>` : `<input type="email" name="email" autocomplete="username" value="${escapeHtml(link.email)}" readonly hidden>`}
${asksForPassword(link) ? `<label>Password <input type="password" name="password" autocomplete="new-password" required minlength="${passwordLength.least}" maxlength="${passwordLength.most}"${link.email === null ? "" : " autofocus"}><small>At least ${passwordLength.least} characters. A sentence is a good one.</small></label>` : ""}
<button>${escapeHtml(button)}</button>
</form>`,
    },
    more.wrong === undefined ? 200 : 422,
  );
};

const othersPage = (link: Link, path: string): Answer =>
  formPage(
    {
      title: "This invitation is for somebody else",
      body: `<p>It is for ${escapeHtml(link.email ?? "")}, and you are signed in under another address.</p>
<form action="/dash/sign-in"><input type="hidden" name="anew" value="1"><input type="hidden" name="next" value="${escapeHtml(path)}"><button>Sign in as somebody else</button></form>`,
    },
    403,
  );

const wordsOf = (link: Link): { title: string; text: string; button: string } => {
  const { kind, email, publisherName, role, madeBy } = link;
  switch (kind) {
    case "set_up":
      return {
        title: "Set up the service",
        text: "You are the first. You will run the service, and may invite others.",
        button: "Begin",
      };
    case "invitation":
      return publisherName === null
        ? {
            title: "Run this service",
            text: `You are invited by ${madeBy} to operate it. The invitation is for ${email}.`,
            button: link.hasAccount ? "Accept" : "Choose this password",
          }
        : {
            title: `Join ${publisherName}`,
            text: `You are invited to the team by ${madeBy}, as ${role}. The invitation is for ${email}.`,
            button: link.hasAccount ? "Join" : "Choose this password and join",
          };
    case "password":
      return {
        title: "Choose a password",
        text: `For ${email}. All sessions end, and so do invitations and links of yours that nobody has followed yet.`,
        button: "Save and sign in",
      };
    case "sign_in":
      return { title: "Open the dashboard", text: `As ${email}.`, button: "Sign in" };
    default:
      return kind satisfies never;
  }
};
