import type { MadeLink } from "@offers/contract/dash/accounts";
import {
  newPublisher,
  newUser,
  publisherInvitee,
  publisherPatch,
  type UserRow,
  userPatch,
} from "@offers/contract/dash/operator";
import { z } from "zod";
import type { Context } from "../../context.ts";
import { type DashRoute, dashRoute } from "../../http/dash-route.ts";
import { fromBody, fromQuery } from "../../http/read.ts";
import { replyJson, replyRecorded } from "../../http/reply.ts";
import { wholeNumber } from "./me.ts";

const nothing = z.object({});
const publishers = "/dash/api/operator/publishers" as const;
const users = "/dash/api/operator/users" as const;

/** Who publishes, and who signs in. */
export function operatorPublisherRoutes(context: Context): DashRoute[] {
  const { desk } = context;
  const linkOf = ({ token, expiresAt }: { token: string; expiresAt: number }): MadeLink => ({
    link: `${context.baseUrl}/dash/link/${token}`,
    expiresAt,
  });
  return [
    dashRoute(context, `GET ${publishers}`, {
      asks: fromQuery(nothing),
      reply: async () => replyJson({ items: await desk.ask("listPublishers", null) }),
    }),
    dashRoute(context, `POST ${publishers}`, {
      asks: fromBody(newPublisher),
      reply: async ({ asked, actor }) =>
        replyJson(await desk.ask("createPublisher", { input: asked }, actor), [], 201),
    }),
    dashRoute(context, `GET ${publishers}/:publisher`, {
      asks: fromQuery(nothing),
      reply: async ({ publisher: { publisherId } }) =>
        replyJson(await desk.ask("readPublisher", { publisherId })),
    }),
    dashRoute(context, `PATCH ${publishers}/:publisher`, {
      asks: fromBody(publisherPatch),
      reply: async ({ asked, publisher: { publisherId }, actor, ifVersion }) =>
        replyJson((await desk.ask("updatePublisher", { publisherId, patch: asked, ifVersion }, actor)) ?? {}),
    }),
    dashRoute(context, `POST ${publishers}/:publisher/invitations`, {
      asks: fromBody(publisherInvitee),
      reply: async ({ asked, publisher: { publisherId }, by, actor }) => {
        const made = await desk.ask("invite", { ...asked, publisherId, madeBy: by.name }, actor);
        return replyJson(linkOf(made), [], 201);
      },
    }),
    dashRoute(context, `GET ${users}`, {
      asks: fromQuery(nothing),
      reply: async () => {
        const listed = await desk.ask("listUsers", null);
        const items = listed.map(
          ({ disabledAt, ...user }): UserRow => ({ ...user, isDisabled: disabledAt !== null }),
        );
        return replyJson({ items });
      },
    }),
    dashRoute(context, `POST ${users}`, {
      asks: fromBody(newUser),
      reply: async ({ asked, by, actor }) => {
        const { email, name, isOperator } = asked;
        const made = await desk.ask("createUser", { email, name, isOperator, madeBy: by.name }, actor);
        return replyJson({ userId: made.userId, email: made.email, ...linkOf(made) }, [], 201);
      },
    }),
    dashRoute(context, `PATCH ${users}/:user`, {
      asks: fromBody(userPatch),
      reply: async ({ asked: { isDisabled, isOperator }, params, actor }) => {
        await desk.ask("updateUser", { userId: wholeNumber(params.user), isDisabled, isOperator }, actor);
        return replyRecorded();
      },
    }),
    dashRoute(context, `POST ${users}/:user/links`, {
      asks: fromBody(nothing),
      reply: async ({ params, by, actor }) => {
        const asked = { userId: wholeNumber(params.user), madeBy: by.name };
        return replyJson(linkOf(await desk.ask("makePasswordLink", asked, actor)), [], 201);
      },
    }),
  ];
}
