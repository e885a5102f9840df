import { invitee, type MadeLink, memberRole, type Team } from "@offers/contract/dash/accounts";
import { z } from "zod";
import type { Context } from "../../context.ts";
import { type DashRoute, dashRoute } from "../../http/dash-route.ts";
import { fromBody, fromQuery } from "../../http/read.ts";
import { replyJson, replyRecorded } from "../../http/reply.ts";
import { wholeNumber } from "./me.ts";

const nothing = z.object({});
const team = "/dash/api/publishers/:publisher/team" as const;

/** Who works for a publisher. */
export function teamRoutes(context: Context): DashRoute[] {
  const { desk } = context;
  return [
    dashRoute(context, `GET ${team}`, {
      asks: fromQuery(nothing),
      reply: async ({ publisher: { publisherId } }) => {
        const { members, invitations } = await desk.ask("team", { publisherId });
        return replyJson({
          members: members.map((one) => ({
            userId: one.userId,
            email: one.email,
            name: one.name,
            role: one.role,
            since: one.since,
            lastSeenAt: one.lastSeenAt,
            isDisabled: one.disabledAt !== null,
          })),
          invitations,
        } satisfies Team);
      },
    }),
    dashRoute(context, `POST ${team}/invitations`, {
      asks: fromBody(invitee),
      reply: async ({ asked, publisher: { publisherId }, by, actor }) => {
        const made = await desk.ask("invite", { ...asked, publisherId, madeBy: by.name }, actor);
        return replyJson(
          {
            link: `${context.baseUrl}/dash/link/${made.token}`,
            expiresAt: made.expiresAt,
          } satisfies MadeLink,
          [],
          201,
        );
      },
    }),
    dashRoute(context, `DELETE ${team}/invitations/:invitation`, {
      asks: fromBody(nothing),
      reply: async ({ params, publisher: { publisherId }, actor }) => {
        const invitationId = wholeNumber(params.invitation);
        await desk.ask("withdrawInvitation", { publisherId, invitationId }, actor);
        return replyRecorded();
      },
    }),
    dashRoute(context, `PATCH ${team}/members/:user`, {
      asks: fromBody(memberRole),
      reply: async ({ asked, params, publisher: { publisherId }, actor }) => {
        const userId = wholeNumber(params.user);
        await desk.ask("changeMember", { publisherId, userId, role: asked.role }, actor);
        return replyRecorded();
      },
    }),
    dashRoute(context, `DELETE ${team}/members/:user`, {
      asks: fromBody(nothing),
      reply: async ({ params, publisher: { publisherId }, actor }) => {
        const userId = wholeNumber(params.user);
        await desk.ask("changeMember", { publisherId, userId, role: null }, actor);
        return replyRecorded();
      },
    }),
  ];
}
