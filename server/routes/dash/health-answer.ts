import type { HealthAnswer } from "@offers/contract/dash/tag-health";
import type { Context } from "../../context.ts";
import { loadsByHour } from "../../core/loads-by-hour.ts";
import { coversOrigin } from "../../core/registered-origin.ts";
import type { TagHealth } from "../../core/tag-health.ts";
import { dayMs } from "../../core/utc-day.ts";
import type { AnswerOf } from "../../desk/desk.ts";
import type { Call } from "../../http/call.ts";

/** The health of a website's tag as its page tells it. */
export function healthAnswer(
  context: Context,
  { website, calls }: AnswerOf<"findTag">,
  { state, causes }: TagHealth,
  call: Call,
): HealthAnswer {
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
}

const schemeOf = (origin: string): string => origin.slice(0, origin.indexOf("://") + 3);
