import {
  type DashWebsite,
  type MadeWebsite,
  newWebsite,
  type PreviewLink,
  pastedAddress,
  typedName,
  websitePatch,
} from "@offers/contract/dash/websites";
import { z } from "zod";
import type { Context } from "../../context.ts";
import { previewTokenMs, signPreviewToken } from "../../core/preview-token.ts";
import type { SignedIn } from "../../core/signed-in.ts";
import { type AnswerOf, DeskRefusal } from "../../desk/desk.ts";
import type { Answer } from "../../http/call.ts";
import { cookieSessionOf } from "../../http/cookies.ts";
import { type DashRoute, dashRoute } from "../../http/dash-route.ts";
import { Problem, unknownSubject } from "../../http/problem.ts";
import { fromBody, fromQuery } from "../../http/read.ts";
import { replyJson, replyRecorded } from "../../http/reply.ts";
import { noticed } from "./noticed.ts";

const nothing = z.object({});
const publisher = "/dash/api/publishers/:publisher" as const;
const website = `${publisher}/websites/:website` as const;

/** A publisher's websites: made of an address, shown, changed, paused, deleted. */
export function websiteRoutes(context: Context): DashRoute[] {
  const { desk } = context;
  return [
    dashRoute(context, `GET ${publisher}/address`, {
      asks: fromQuery(pastedAddress),
      reply: async ({ asked }) => replyJson(await desk.ask("readAddress", asked)),
    }),
    dashRoute(context, `POST ${publisher}/websites`, {
      asks: fromBody(newWebsite),
      reply: async ({ asked, publisher: { publisherId }, actor }) => {
        const { address, ...given } = asked;
        const made = await noticed(
          context,
          desk.ask("createWebsite", { ...defined(given), address, publisherId }, actor),
        );
        return replyJson(made satisfies MadeWebsite, [], 201);
      },
    }),
    dashRoute(context, `GET ${website}`, {
      asks: fromQuery(nothing),
      reply: (given) => tell(given.by, desk.ask("findWebsite", ownOf(given))),
    }),
    dashRoute(context, `PATCH ${website}`, {
      asks: fromBody(websitePatch),
      reply: async (given) => {
        const { asked: patch, ifVersion, actor, by } = given;
        // What a publisher earns of a price is the operator's word.
        if (!by.isOperator && "shareBasisPoints" in patch) {
          throw new Problem("role_too_low", "The share is set by an operator of the service.");
        }
        const asked = { ...ownOf(given), patch: { ...patch }, ifVersion };
        return tell(by, noticed(context, desk.ask("updateWebsite", asked, actor)));
      },
    }),
    ...(["pause", "resume"] as const).map((verb) =>
      dashRoute(context, `POST ${website}/${verb}`, {
        asks: fromBody(nothing),
        reply: (given) => {
          const { ifVersion, actor, by } = given;
          const asked = { ...ownOf(given), isPaused: verb === "pause", ifVersion };
          return tell(by, noticed(context, desk.ask("setWebsitePaused", asked, actor)));
        },
      }),
    ),
    dashRoute(context, `DELETE ${website}`, {
      asks: fromBody(typedName),
      reply: async (given) => {
        await noticed(
          context,
          desk.ask("deleteWebsite", { ...ownOf(given), name: given.asked.name }, given.actor),
        );
        return replyRecorded();
      },
    }),
    dashRoute(context, `POST ${website}/preview`, {
      asks: fromBody(nothing),
      reply: async (given) => {
        const { websiteKey } = await desk.ask("findWebsite", ownOf(given));
        const found = context.store.catalogue().website(websiteKey);
        const session = cookieSessionOf(given.call, context)?.hash ?? null;
        // A website that was made this very moment is not served yet.
        if (found === undefined || session === null) throw unknownSubject();
        const now = context.clock();
        const token = signPreviewToken(context.tokenKeys, { websiteId: found.id, session }, now);
        return replyJson({
          link: `/dash/preview/${websiteKey}?token=${token}`,
          expiresAt: now + previewTokenMs,
        } satisfies PreviewLink);
      },
    }),
  ];
}

/** Which website a call is about. */
export function ownOf(given: { publisher: { publisherId: string }; params: { website: string } }): {
  publisherId: string;
  websiteKey: string;
} {
  return { publisherId: given.publisher.publisherId, websiteKey: given.params.website };
}

/** A change of a website; the version that it did not know is told as the one who asks may see it. */
export async function asSeenBy<Changed>(by: SignedIn, pending: Promise<Changed>): Promise<Changed> {
  try {
    return await pending;
  } catch (error) {
    if (!(error instanceof DeskRefusal) || error.refused.kind !== "conflict") throw error;
    throw new DeskRefusal({ ...error.refused, current: { ...error.refused.current, ...hiddenFrom(by) } });
  }
}

/** Whoever knew their share could tell what advertisers pay. */
const hiddenFrom = ({ isOperator }: SignedIn) => (isOperator ? {} : { shareBasisPoints: null });

/** Tells of a website as the one who asks may see it. */
const tell = async (by: SignedIn, pending: Promise<AnswerOf<"findWebsite">>): Promise<Answer> => {
  const { publisherId: _, allowlist: __, ...website } = await asSeenBy(by, pending);
  return replyJson({ ...website, ...hiddenFrom(by) } satisfies DashWebsite);
};

/** Without the members that are undefined, which would stand in for a default. */
const defined = <T extends object>(given: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as {
    [Name in keyof T]?: Exclude<T[Name], undefined>;
  };
