import { commandsFile, overlayFile } from "virtual:built-files";
import type { DecisionAnswer } from "@offers/contract/decision";
import type { Trigger } from "@offers/contract/words";
import type { start } from "../commands/start.ts";
import type { openOverlay as openOverlayOfChunk } from "../overlay/open-overlay.ts";
import { load } from "../wire/load.ts";
import type { Commands, Present } from "../wire/loader-and-commands.ts";
import { request } from "../wire/request.ts";
import { eventSender } from "../wire/send-event.ts";
import { decisionUrl, offersUrl, serviceBase } from "../wire/service-urls.ts";
import type { LoaderTag, Visit } from "../wire/visit.ts";
import { activation } from "./activation.ts";
import { askDecision } from "./ask-decision.ts";
import { takeCommands } from "./command-queue.ts";
import { isOwnPage, isSupported } from "./may-run-here.ts";
import { ownTags } from "./own-tags.ts";
import { pageRecord } from "./page-record.ts";
import { readTag } from "./read-tag.ts";
import { snippetPing } from "./snippet-ping.ts";

const page = pageRecord();

try {
  if (isSupported()) ownTags().forEach(serveTag);
} catch {
  // Whatever is odd about this page, it is not made worse.
}

/** Serves a tag that only names its website; a tag that asks for more is taken over by the chunk of commands. */
function serveTag(script: HTMLScriptElement): void {
  const options: Record<string, string | undefined> = {};
  // Not spread: where a page has given every object a `get`, Chromium throws at that.
  for (const name in script.dataset) options[name] = script.dataset[name];
  const base = serviceBase(script.src);
  const name = options.global || "offerService";
  let waiting: ReturnType<typeof takeCommands> = [];
  if (!page.names.includes(name)) {
    page.names.push(name);
    waiting = takeCommands(name, (command) =>
      commands(base)
        .then((chunk) => chunk.run(command, script))
        .catch(nothing),
    );
  }
  const tag = readTag(script.src, options, location.search);
  // Too much goes this way rather than too little: the commands look at what is meant.
  const asksMore =
    waiting.length ||
    page.commands ||
    /section|none|nsent|debug/.test(JSON.stringify([options, location.search]));
  if (asksMore) {
    commands(base)
      .then((chunk) => chunk.takeOver(script, waiting))
      .catch(nothing);
  } else if (tag) {
    if (tag.mode === "overlay") beginVisit(tag, presentOverlay, script).catch(nothing);
  }
}

function nothing(): null {
  return null;
}

/** The chunk of commands; what is said until it is there waits in its order. */
function commands(base: string): Promise<Commands> {
  // biome-ignore lint/suspicious/noAssignInExpressions: in two statements, that is longer.
  return (page.commands ||= activation()
    .then(() => load<{ start: typeof start }>(base + commandsFile))
    .then(
      (chunk) => chunk.start(page, beginVisit, openOverlay, isOwnPage, load),
      (problem) => {
        // The next command asks for it again.
        delete page.commands;
        throw problem;
      },
    ));
}

/**
 * Asks for the decision and presents what follows from it. Any failure ends the visit, and the page stays as it is. No
 * overlay is begun that the page already has (sections come from the commands, which know theirs), and none in a frame of
 * somebody else's page.
 */
async function beginVisit(tag: LoaderTag, present: Present, script: Element | null): Promise<void> {
  if (!("frame" in tag.options) && !isOwnPage()) return;
  const visit: Visit = {
    tag,
    script,
    decision: null,
    send: eventSender(tag.base),
    tell: (event, detail) => page.tell(event, detail, visit),
    closing: new AbortController(),
  };
  const { website, mode } = tag;
  const isThere = ({ tag: other }: Visit) => other.website === website && other.mode === mode;
  if (page.visits.some(isThere) && mode === "overlay") return;
  page.visits.push(visit);
  try {
    await activation();
    // Behind another tab the page may have said `page` or a refusal of consent, for which this visit has been given up.
    // biome-ignore lint/complexity/useOptionalChain: written out for the browsers of 2018, that is longer.
    await (page.commands && page.commands.catch(nothing));
    if (!page.visits.includes(visit)) return;
    const decision = await askDecision(decisionUrl(tag));
    visit.decision = decision;
    // Not sooner: what was closed meanwhile may have been opened again.
    const { signal } = visit.closing;
    if (signal.aborted) return;
    visit.send("snippet-ping", snippetPing(tag, location));
    const { allowed, country, region } = decision;
    visit.tell("decision", { website, mode, allowed, country, region });
    if (mode !== "overlay" || !allowed) await present(visit, decision, signal);
  } catch (problem) {
    visit.tell("error", { website, mode, problem });
  }
}

/**
 * The overlay of a blocked visitor: by itself, or as the chunk of commands knows other places and triggers. One that is
 * not to open by itself (`show`) opens only if the page says so, and for a page that says nothing no code is fetched. What
 * the loader can do by itself is not lost with commands that do not come.
 */
async function presentOverlay(visit: Visit, decision: DecisionAnswer, closing: AbortSignal): Promise<void> {
  const { tag } = visit;
  const { trigger, placement, pages, show } = { ...decision.settings, ...tag.options };
  const chunk = await (placement === "bottom" || pages || (trigger !== "immediate" && trigger !== "pause")
    ? commands(tag.base)
    : // biome-ignore lint/complexity/useOptionalChain: as above.
      page.commands && page.commands.catch(nothing));
  if (chunk) await chunk.openOnTrigger(visit, decision, closing);
  else if (show) await openOverlay(visit, trigger, closing);
}

/** Offers are asked for beside the code that draws them, but in a pause, which may never come, only once it is there. */
async function openOverlay(visit: Visit, trigger: Trigger, signal: AbortSignal): Promise<void> {
  const { tag, decision } = visit as Visit & { decision: DecisionAnswer };
  if (trigger !== "pause") {
    visit.offers ||= request(offersUrl(tag, { ...decision, ...decision.settings }), { signal }).catch(
      nothing,
    );
  }
  const chunk = await load<{ openOverlay: typeof openOverlayOfChunk }>(tag.base + overlayFile);
  await chunk.openOverlay(visit, trigger, signal);
}
