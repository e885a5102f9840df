import {
  type Attention,
  type CheckedPage,
  type HealthAnswer,
  originToRegister,
  pageToCheck,
  type WebsiteRow,
  type WebsitesAnswer,
} from "@offers/contract/dash/tag-health";
import { longestPage } from "@offers/contract/words";
import { z } from "zod";
import type { Context } from "../../context.ts";
import { isLoopbackHost } from "../../core/loopback-host.ts";
import { checksAnHour } from "../../core/page-check.ts";
import { coversOrigin } from "../../core/registered-origin.ts";
import { cutPath } from "../../core/snippet-ping.ts";
import type { TagHealth } from "../../core/tag-health.ts";
import { type KeptCheck, websiteTagHealth } from "../../core/website-tag-health.ts";
import type { AnswerOf } from "../../desk/desk.ts";
import type { Call } from "../../http/call.ts";
import { type DashRoute, dashRoute } from "../../http/dash-route.ts";
import { overloaded, Problem, parameterProblem } from "../../http/problem.ts";
import { fromBody, fromQuery } from "../../http/read.ts";
import { replyJson } from "../../http/reply.ts";
import { healthAnswer } from "./health-answer.ts";
import { noticed } from "./noticed.ts";
import { createOfferFacts } from "./offer-facts.ts";
import { createTagLooks } from "./tag-looks.ts";
import { ownOf } from "./websites.ts";

type Watched = AnswerOf<"findTag">;

const nothing = z.object({});
const publisher = "/dash/api/publishers/:publisher" as const;
const health = `${publisher}/websites/:website/health` as const;

/** How the tags of a publisher's websites fare, what is to be mended, and two ways to mend it. */
export function websiteHealthRoutes(context: Context): DashRoute[] {
  const { desk, store } = context;
  const offerFacts = createOfferFacts(store.catalogue);
  const lookAt = createTagLooks(context, offerFacts);
  const judge = ({ website, calls, check }: Watched): TagHealth =>
    websiteTagHealth({
      ...{ now: context.clock(), website, calls, check },
      // A page asks again and again: of the catalogue's own website it is known what was counted before.
      offerFacts: offerFacts.ofOne(store.catalogue().website(website.websiteKey) ?? website),
      currentScript: context.embedVersion,
    });
  const healthOf = (watched: Watched, call: Call): HealthAnswer =>
    healthAnswer(context, watched, judge(watched), call);
  return [
    dashRoute(context, `GET ${publisher}/websites`, {
      asks: fromQuery(nothing),
      reply: async ({ publisher: { publisherId } }) => {
        const items = (await lookAt(publisherId)).map(
          ({ website, state, causes }): WebsiteRow => ({ ...website, health: state, causes: causes.length }),
        );
        const deleted = store
          .catalogue()
          .archivedWebsitesOf(publisherId)
          .map(({ key, name }) => ({ websiteKey: key, name }));
        return replyJson({ items, deleted } satisfies WebsitesAnswer);
      },
    }),
    dashRoute(context, `GET ${publisher}/attention`, {
      asks: fromQuery(nothing),
      reply: async ({ publisher: { publisherId } }) => {
        const items = (await lookAt(publisherId)).flatMap(({ website: { websiteKey, name }, causes }) =>
          causes.map((cause): Attention => ({ websiteKey, name, ...cause })),
        );
        // What keeps a website from working comes first, whichever it is.
        return replyJson({
          items: items.toSorted((one, other) => Number(other.isFatal) - Number(one.isFatal)),
        });
      },
    }),
    dashRoute(context, `GET ${health}`, {
      asks: fromQuery(nothing),
      reply: async (given) => replyJson(healthOf(await desk.ask("findTag", ownOf(given)), given.call)),
    }),
    dashRoute(context, `POST ${health}/check-page`, {
      asks: fromBody(pageToCheck),
      reply: async (given) => {
        const watched = await desk.ask("findTag", ownOf(given));
        const { website, calls } = watched;
        const url = given.asked.url ?? pageOf(website.origins, calls.lastPages, context.production);
        const check = { ...(await checkPage(context, url, website)), at: context.clock() };
        await desk.ask("keepPageCheck", { ...ownOf(given), check });
        const checked = { url: check.url, findings: check.findings.length };
        return replyJson({ ...healthOf({ ...watched, check }, given.call), checked } satisfies CheckedPage);
      },
    }),
    dashRoute(context, `POST ${health}/register-origin`, {
      asks: fromBody(originToRegister),
      reply: async (given) => {
        await noticed(context, desk.ask("registerOrigin", { ...ownOf(given), ...given.asked }, given.actor));
        return replyJson(healthOf(await desk.ask("findTag", ownOf(given)), given.call));
      },
    }),
  ];
}

/**
 * The page that is looked at where nobody names one: the last one that loaded the tag at an address that is still
 * registered, or the first page of a registered one. In production nothing of this machine is called, so its addresses come last.
 */
const pageOf = (
  origins: readonly string[],
  lastPages: Watched["calls"]["lastPages"],
  production: boolean,
): string => {
  const isOpen = (url: URL) => !(production && isLoopbackHost(url.hostname));
  for (const { page } of lastPages) {
    const url = URL.parse(page);
    if (url === null || !isOpen(url) || !coversOrigin((one) => origins.includes(one), url.origin)) continue;
    // One of the full length was cut perhaps, and what was cut leads to no page.
    return page.length < longestPage && !page.endsWith(cutPath) ? page : `${url.origin}/`;
  }
  const plain = origins.filter((origin) => !origin.includes("*"));
  const origin = plain.find((one) => isOpen(new URL(one))) ?? plain[0];
  if (origin !== undefined) return `${origin}/`;
  throw parameterProblem("missing_parameter", {
    parameter: "url",
    message: "is required: no page is known, and only a wildcard is registered",
  });
};

const checkPage = async (
  context: Context,
  url: string,
  { websiteKey, publicKey, origins }: Watched["website"],
): Promise<Omit<KeptCheck, "at">> => {
  const wanted = { baseUrl: context.baseUrl, websiteKey, publicKey, origins };
  const check = await context.checkPage(url, wanted);
  switch (check.outcome) {
    case "checked":
      return { url: check.url, findings: check.findings };
    case "not_registered":
      throw parameterProblem("invalid_parameter", {
        parameter: "url",
        message: "must be a page of a registered address of this website",
      });
    case "too_often": {
      const seconds = Math.ceil(check.afterMs / 1000);
      throw new Problem("rate_limited", `A website's pages are looked at ${checksAnHour} times an hour.`, {
        headers: [["Retry-After", String(seconds)]],
      });
    }
    case "busy":
      throw overloaded();
    default:
      return check satisfies never;
  }
};
