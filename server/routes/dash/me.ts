import {
  givenPassword,
  type Me,
  newPassword,
  type OwnSession,
  ownSettings,
} from "@offers/contract/dash/accounts";
import { z } from "zod";
import type { Context } from "../../context.ts";
import { recentMs } from "../../core/session-life.ts";
import type { SignedIn } from "../../core/signed-in.ts";
import type { Call } from "../../http/call.ts";
import { networkOf } from "../../http/client-address.ts";
import { type DashRoute, dashRoute } from "../../http/dash-route.ts";
import { Problem, parameterProblem, unknownSubject } from "../../http/problem.ts";
import { fromBody, fromQuery } from "../../http/read.ts";
import { replyJson, replyRecorded } from "../../http/reply.ts";
import { checkPassword } from "./sign-in.ts";

const nothing = z.object({});

/** One's own account: who one is, the password, the sessions. */
export function meRoutes(context: Context): DashRoute[] {
  return [
    dashRoute(context, "GET /dash/api/me", {
      asks: fromQuery(nothing),
      reply: async ({ by }) => replyJson(whoIs(context, by)),
    }),
    dashRoute(context, "PATCH /dash/api/me", {
      asks: fromBody(ownSettings),
      reply: async ({ asked, by }) => {
        await context.desk.ask("updateOwnSettings", { userId: by.userId, ...asked });
        return replyRecorded();
      },
    }),
    dashRoute(context, "POST /dash/api/me/confirm", {
      asks: fromBody(givenPassword),
      reply: async ({ asked, by, call }) => {
        await requirePassword(context, by, asked.password, call);
        await context.desk.ask("confirmSession", { sessionId: by.sessionId });
        return replyJson({ recentUntil: context.clock() + recentMs });
      },
    }),
    dashRoute(context, "POST /dash/api/me/password", {
      asks: fromBody(newPassword),
      reply: async ({ asked, by, actor, call }) => {
        const { userId, sessionId } = by;
        const checkedHash = await requirePassword(context, by, asked.password, call);
        const passwordHash = await context.passwords.hash(asked.newPassword);
        // Whoever has learnt the old one is out.
        const change = { userId, sessionId, checkedHash, passwordHash };
        if (!(await context.desk.ask("setPassword", change, actor))) throw notYourPassword();
        return replyRecorded();
      },
    }),
    dashRoute(context, "GET /dash/api/me/sessions", {
      asks: fromQuery(nothing),
      reply: async ({ by }) => {
        const sessions = await context.desk.ask("listSessions", { userId: by.userId });
        const items: OwnSession[] = sessions.map((one) => ({
          ...one,
          isThis: one.sessionId === by.sessionId,
        }));
        return replyJson({ items });
      },
    }),
    dashRoute(context, "DELETE /dash/api/me/sessions/:session", {
      asks: fromBody(nothing),
      reply: async ({ params, by }) => {
        const sessionId = wholeNumber(params.session);
        if (!(await context.desk.ask("endOwnSession", { userId: by.userId, sessionId })))
          throw unknownSubject();
        return replyRecorded();
      },
    }),
    dashRoute(context, "DELETE /dash/api/me/sessions", {
      asks: fromBody(nothing),
      reply: async ({ by }) => {
        await context.desk.ask("endOtherSessions", { userId: by.userId, butSessionId: by.sessionId });
        return replyRecorded();
      },
    }),
  ];
}

const whoIs = (context: Context, by: SignedIn): Me => {
  const catalogue = context.store.catalogue();
  return {
    user: {
      userId: by.userId,
      email: by.email,
      name: by.name,
      isOperator: by.isOperator,
      theme: by.theme,
      hasPassword: by.hasPassword,
    },
    publishers: by.memberships.map((one) => ({
      ...one,
      websites: catalogue.websitesOf(one.publisherId).length,
    })),
    service: { baseUrl: context.baseUrl },
    recentUntil: by.signedInAt + recentMs,
  };
};

/** The hash that the password was checked by. */
const requirePassword = async (
  context: Context,
  { email }: SignedIn,
  password: string,
  call: Call,
): Promise<string> => {
  const network = networkOf(context.clientOf(call));
  const verdict = await checkPassword(context, { email, password, network });
  if (verdict.outcome === "right") return verdict.passwordHash;
  if (verdict.outcome === "limited") {
    throw new Problem("rate_limited", "Too many wrong passwords. Try again later.", {
      headers: [["Retry-After", String(verdict.retrySeconds)]],
    });
  }
  throw notYourPassword();
};

const notYourPassword = (): Problem =>
  parameterProblem("invalid_parameter", { parameter: "password", message: "is not your password" });

/** An id of ours that is a number; a text that is none names nothing. */
export function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw unknownSubject();
  return Number(text);
}
