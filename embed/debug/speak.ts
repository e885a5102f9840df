import type { DecisionAnswer } from "@offers/contract/decision";
import type { Trigger } from "@offers/contract/words";
import type { Refusal } from "../commands/await-consent.ts";
import type { Options, Visit } from "../wire/visit.ts";
import { type Explanation, explain, type Happening, platformOf } from "./explain.ts";
import { obstacle } from "./obstacle.ts";

/** How long an overlay that may open is left to do so before it is said what is in its way, in milliseconds. */
const patienceMs = 5000;

/** How often it is looked what is known of the tag and of its consent, in milliseconds. */
const pauseMs = 500;
/** After so many looks a key that is missing is told: \`init\` may say it behind the script. */
const looksForKeys = 4;

/**
 * Tells the page's author in the console what becomes of a tag, one line each time. Nothing is asked of the service. What the
 * commands lend comes one by one, which costs pages without it fewer bytes.
 */
export function speak(
  base: string,
  optionsNow: () => Options,
  visits: readonly Visit[],
  listen: (event: string, callback: (detail: { [member: string]: unknown }) => unknown) => void,
  isPageRuledIn: (pages: DecisionAnswer["settings"]["pages"], path: string) => boolean,
  chooseTrigger: (onTag: unknown, inSettings: unknown) => Trigger,
  isOwnPage: () => boolean,
  refusalOf: (options: Options) => Refusal | undefined,
): void {
  const guide = `${base}docs/embed#when-nothing-is-shown`;
  let waiting: ReturnType<typeof setTimeout>;
  const say = (now: Happening) => {
    // Whatever it waited for.
    clearTimeout(waiting);
    const said = explain(now);
    if (!said) return;
    // As this page names the function.
    const name = String(optionsNow().global || "offerService");
    const line = lineOf(said, guide).replaceAll("offerService", () => name);
    // The one place of the embed that writes to the console.
    console.info(line, "font-weight:700", "");
  };
  const isOwn = ({ website, mode, surface }: { website?: unknown; mode?: unknown; surface?: unknown }) => {
    const own = optionsNow();
    return website === own.website && (mode ?? surface) === (own.mode || "overlay");
  };
  const own = () => visits.find(({ tag }) => isOwn(tag));
  let looks = 0;
  let beginning: string | undefined;
  let refusal: Refusal | undefined;
  const look = () => {
    const options = optionsNow();
    const isForeign = !isOwnPage();
    const hasKeys = options.pub && options.website;
    looks += 1;
    if (!hasKeys && looks <= looksForKeys) return;
    // Whoever asks has the platform's time begin, so only what waits for consent asks.
    const next = hasKeys && (!isForeign || "frame" in options) ? refusalOf(options) : undefined;
    const now = { at: "start", options, isForeign, isSettled: next !== undefined } as const;
    const reason = explain(now)?.reason;
    if (reason !== beginning) say(now);
    beginning = reason;
    if (next && next !== refusal) {
      const isThere = typeof Reflect.get(window, platformOf(options.consent)) === "function";
      say({ at: "refused", options, refusal: next, isThere, isFrame: window !== parent });
    }
    refusal = next;
  };
  look();
  setInterval(look, pauseMs);
  listen("decision", (detail) => {
    const { tag, decision } = (isOwn(detail) && own()) || {};
    if (!tag || !decision) return;
    const options = optionsNow();
    const { pathname } = location;
    const { allowed, blocked, settings } = decision;
    const ruledOut = isPageRuledIn(settings.pages, pathname) ? "" : pathname;
    const trigger = chooseTrigger(options.trigger, settings.trigger);
    const { simulated } = tag;
    const hasOpener = isInPage(options.opener);
    say({ at: "decision", options, decision, ruledOut, trigger, simulated, hasOpener });
    const mayOpen = !allowed && !ruledOut && settings.show && options.mode !== "section";
    // What may not be dismissed waits for nobody.
    if (!mayOpen || blocked?.dismissible === false || !/immediate|pause/.test(trigger)) return;
    waiting = setTimeout(() => {
      const visit = own();
      const isOpening = visit?.decision === decision && !visit.closing.signal.aborted;
      if (isOpening) say({ at: "waiting", obstacle: obstacle() });
    }, patienceMs);
  });
  listen("shown", (detail) => {
    if (isOwn(detail)) say({ at: "shown", options: optionsNow(), offers: Number(detail.offers) });
  });
  listen("error", async (detail) => {
    // A declined application is of the tag, whatever else that shows.
    const options = optionsNow();
    const isOfDecline = detail.website === options.website && detail.surface === "decline";
    if (!isOwn(detail) && !isOfDecline) return;
    say({ at: "error", options, reason: String(detail.reason ?? ""), ...(await answerOf(detail.problem)) });
  });
}

/** What an error event says of the answer; a status of 0 where there was none. */
async function answerOf(problem: unknown): Promise<{ status: number; code: string; says: string }> {
  if (!(problem instanceof Response)) return { status: 0, code: "", says: "" };
  const { code, detail }: { code?: unknown; detail?: unknown } = Object(
    await problem.json().catch(() => null),
  );
  return { status: problem.status, code: String(code ?? ""), says: String(detail ?? "") };
}

/** Whether an element matches, also within a component whose root is open; a selector that is none matches nothing. */
function isInPage(selector: unknown, root: ParentNode = document): boolean {
  try {
    return [...root.querySelectorAll("*")].some(
      (one) => one.matches(selector as string) || (one.shadowRoot && isInPage(selector, one.shadowRoot)),
    );
  } catch {
    return false;
  }
}

function lineOf({ verdict, reason, fix, causes = [] }: Explanation, guide: string): string {
  const named = causes[0] ? ` (website check: ${causes.join(", ")})` : "";
  return `%coffers: ${verdict}%c – ${reason}. What to do: ${fix.replace(/\.$/, "")}${named}. ${guide}`;
}
