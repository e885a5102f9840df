import type { DecisionAnswer } from "@offers/contract/decision";
import type { Options, Visit } from "../wire/visit.ts";
import { type Explanation, explain, type Happening } from "./explain.ts";

type Tag = {
  /** The service's base URL, ending in a slash. */
  base: string;
  options: Options;
  visits: readonly Visit[];
  listen(event: string, callback: (detail: { [member: string]: unknown }) => unknown): void;
  /** Whether the website's rules let a page of this path have an overlay. */
  isPageRuledIn(pages: DecisionAnswer["settings"]["pages"], path: string): boolean;
};

/** Tells the page's author in the console what becomes of a tag, one line each time. Nothing is asked of the service. */
export function speak({ base, options, visits, listen, isPageRuledIn }: Tag): void {
  const guide = `${base}docs/embed#when-nothing-is-shown`;
  const say = (now: Happening) => {
    const said = explain(now);
    // The one place of the embed that writes to the console.
    if (said) console.info(lineOf(said, guide), "font-weight:700", "");
  };
  const isOwn = ({ website, mode, surface }: { [member: string]: unknown }) =>
    website === options.website && (mode ?? surface) === (options.mode || "overlay");
  const decided = (): DecisionAnswer | null | undefined =>
    visits.find(({ tag }) => isOwn({ website: tag.website, mode: tag.mode }))?.decision;
  say({ at: "start", options });
  listen("decision", (detail) => {
    const decision = isOwn(detail) && decided();
    if (!decision) return;
    const { pathname } = location;
    const ruledOut = isPageRuledIn(decision.settings.pages, pathname) ? null : pathname;
    say({ at: "decision", options, decision, ruledOut });
  });
  listen("shown", (detail) => {
    if (isOwn(detail)) say({ at: "shown", options, offers: Number(detail.offers) });
  });
  listen("error", async (detail) => {
    // A declined application is of the tag, whatever else that shows.
    const isOfDecline = detail.website === options.website && detail.surface === "decline";
    if (!isOwn(detail) && !isOfDecline) return;
    say({ at: "error", options, reason: String(detail.reason ?? ""), ...(await refusalOf(detail.problem)) });
  });
}

/** What an error event says of the answer; a status of 0 where there was none. */
async function refusalOf(problem: unknown): Promise<{ status: number; code: string; says: string }> {
  if (!(problem instanceof Response)) return { status: 0, code: "", says: "" };
  const { code, detail }: { code?: unknown; detail?: unknown } = Object(
    await problem.json().catch(() => null),
  );
  return { status: problem.status, code: String(code ?? ""), says: String(detail ?? "") };
}

function lineOf({ verdict, reason, fix, causes = [] }: Explanation, guide: string): string {
  const named = causes.length > 0 ? ` (website check: ${causes.join(", ")})` : "";
  return `%coffers: ${verdict}%c – ${reason}. What to do: ${fix}${named}. ${guide}`;
}
