import {
  type Attention,
  type CheckedPage,
  type HealthAnswer,
  originToRegister,
  pageToCheck,
  type WebsiteRow,
} from "@offers/contract/dash/tag-health";
import type { PublisherId } from "@offers/contract/ids";
import { z } from "zod";
import type { Context } from "../../context.ts";
import { countPermitted } from "../../core/allowlist-count.ts";
import { loadsByHour } from "../../core/loads-by-hour.ts";
import { coversOrigin } from "../../core/registered-origin.ts";
import type { TagFacts } from "../../core/tag-facts.ts";
import { type TagHealth, tagHealth } from "../../core/tag-health.ts";
import { offerFacts, settingFacts } from "../../core/website-facts.ts";
import type { AnswerOf } from "../../desk/desk.ts";
import type { Call } from "../../http/call.ts";
import { type DashRoute, dashRoute } from "../../http/dash-route.ts";
import { Problem, parameterProblem } from "../../http/problem.ts";
import { fromBody, fromQuery } from "../../http/read.ts";
import { replyJson } from "../../http/reply.ts";
import { noticed } from "./noticed.ts";
import { createOfferFacts } from "./offer-facts.ts";
import { ownOf } from "./websites.ts";

type Watched = AnswerOf<"findTag">;
type JudgedTag = AnswerOf<"judgeTags">[number];
type Checked = NonNullable<TagFacts["checkedPage"]> & { at: number };

const nothing = z.object({});
const publisher = "/dash/api/publishers/:publisher" as const;
const health = `${publisher}/websites/:website/health` as const;
const dayMs = 24 * 60 * 60 * 1000;
/** What a check has found is told for so long; a page that loads the tag ends it earlier. */
const checkKeptMs = 60 * 60 * 1000;

/** How the tags of a publisher's websites fare, what is to be mended, and two ways to mend it. */
export function websiteHealthRoutes(context: Context): DashRoute[] {
  const { desk } = context;
  const checks = new Map<string, Checked>();
  const judged = createJudging(context, checks);
  const judge = ({ website, calls }: Watched): TagHealth => {
    const now = context.clock();
    const count = countPermitted(context.store.catalogue().rankedOffers(), website);
    return tagHealth({
      ...settingFacts(website),
      ...offerFacts(website, count),
      ...calls,
      now,
      waitingSince: website.createdAt,
      silentAt: null,
      currentScript: context.embedVersion,
      checkedPage: checkOf(checks, website.websiteKey, calls.lastPing?.at ?? 0, now),
    });
  };
  const healthOf = (watched: Watched, call: Call): HealthAnswer =>
    answerOf(context, watched, judge(watched), call);
  return [
    dashRoute(context, `GET ${publisher}/websites`, {
      asks: fromQuery(nothing),
      reply: async ({ publisher: { publisherId } }) => {
        const items = (await judged(publisherId)).map(
          ({ website, state, causes }): WebsiteRow => ({ ...website, health: state, causes: causes.length }),
        );
        return replyJson({ items });
      },
    }),
    dashRoute(context, `GET ${publisher}/attention`, {
      asks: fromQuery(nothing),
      reply: async ({ publisher: { publisherId } }) => {
        const items = (await judged(publisherId)).flatMap(({ website: { websiteKey, name }, causes }) =>
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
        const url = given.asked.url ?? pageOf(website.origins, calls.lastPing?.page);
        const check = await checkPage(context, url, website);
        keepCheck(checks, website.websiteKey, { ...check, at: context.clock() });
        const checked = { url: check.url, findings: check.findings.length };
        return replyJson({ ...healthOf(watched, given.call), checked } satisfies CheckedPage);
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

/** The list of websites and what needs attention are asked for together: one look tells both, for a second. */
const judgedForMs = 1000;
/** Publishers whose last look is remembered, at the most. */
const mostJudged = 100;

const createJudging = (
  context: Context,
  checks: ReadonlyMap<string, Checked>,
): ((publisherId: PublisherId) => Promise<readonly JudgedTag[]>) => {
  const { desk, store, clock, embedVersion } = context;
  const offerFactsOf = createOfferFacts(store.catalogue);
  const looks = new Map<string, { version: number; at: number; judged: Promise<JudgedTag[]> }>();
  const look = async (publisherId: PublisherId): Promise<JudgedTag[]> => {
    const websites = store.catalogue().websitesOf(publisherId);
    const offerFacts = await offerFactsOf(websites);
    const known = websites.flatMap(({ key }): [string, Checked][] => {
      const check = checks.get(key);
      return check && clock() - check.at < checkKeptMs ? [[key, check]] : [];
    });
    return desk.ask("judgeTags", {
      ...{ publisherId, offerFacts },
      checks: new Map(known),
      currentScript: embedVersion,
    });
  };
  return (publisherId) => {
    const { version } = store.catalogue();
    const last = looks.get(publisherId);
    const at = clock();
    if (last && last.version === version && Math.abs(at - last.at) < judgedForMs) return last.judged;
    const judged = look(publisherId);
    looks.delete(publisherId);
    looks.set(publisherId, { version, at, judged });
    judged.catch(() => looks.delete(publisherId));
    const [oldest] = looks.keys();
    if (looks.size > mostJudged && oldest !== undefined) looks.delete(oldest);
    return judged;
  };
};

const answerOf = (
  context: Context,
  { website, calls }: Watched,
  { state, causes }: TagHealth,
  call: Call,
): HealthAnswer => {
  const at = context.clock();
  const { lastPing, lastPages, refused } = calls;
  const isRegistered = (origin: string) => coversOrigin((one) => website.origins.includes(one), origin);
  const { country, region } = context.geo.locate(context.clientOf(call).address);
  return {
    websiteKey: website.websiteKey,
    name: website.name,
    at,
    state,
    causes: causes.map(({ command: _, ...cause }) => cause),
    lastPage: lastPing,
    hours: loadsByHour(calls.loads, at),
    origins: website.origins.map((origin) => {
      const last = lastPages.find(({ host }) =>
        coversOrigin((one) => one === origin, schemeOf(origin) + host),
      );
      return { origin, lastPage: last ? { at: last.at, page: last.page } : null };
    }),
    refused: refused
      .filter((one) => one.origin !== "" && at - one.at < dayMs && !isRegistered(one.origin))
      .map(({ origin, code, times, at }) => ({ origin, code, times, at }))
      .toSorted((one, other) => other.at - one.at)
      .slice(0, 20),
    you: { country, region },
  };
};

const schemeOf = (origin: string): string => origin.slice(0, origin.indexOf("://") + 3);

/** The page that is looked at where nobody names one; of a wildcard nobody knows a page. */
const pageOf = (origins: readonly string[], last: string | undefined): string => {
  if (last?.includes("://")) return last;
  const plain = origins.find((origin) => !origin.includes("*"));
  if (plain !== undefined) return `${plain}/`;
  throw parameterProblem("missing_parameter", {
    parameter: "url",
    message: "is required: no page is known, and only a wildcard is registered",
  });
};

const checkPage = async (
  context: Context,
  url: string,
  { websiteKey, publicKey, origins }: Watched["website"],
): Promise<Omit<Checked, "at">> => {
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
      throw new Problem("rate_limited", "A website's pages are looked at six times an hour.", {
        headers: [["Retry-After", String(seconds)]],
      });
    }
    default:
      return check satisfies never;
  }
};

/** Websites whose checks are remembered, at the most. */
const mostKept = 1000;

const keepCheck = (checks: Map<string, Checked>, websiteKey: string, check: Checked): void => {
  checks.delete(websiteKey);
  checks.set(websiteKey, check);
  const [oldest] = checks.keys();
  if (checks.size > mostKept && oldest !== undefined) checks.delete(oldest);
};

const checkOf = (
  checks: ReadonlyMap<string, Checked>,
  websiteKey: string,
  pingedAt: number,
  now: number,
): TagFacts["checkedPage"] => {
  const check = checks.get(websiteKey);
  return check && check.at > pingedAt && now - check.at < checkKeptMs ? check : null;
};
