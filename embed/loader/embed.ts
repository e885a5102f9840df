import { commandsFile, overlayFile } from "virtual:built-files";
import type { Commands, start as startCommands } from "../commands/start.ts";
import type { open } from "../overlay/open.ts";
import { eventSender } from "../wire/send-event.ts";
import { decisionUrl, serviceBase } from "../wire/service-urls.ts";
import type { LoaderTag, Visit } from "../wire/visit.ts";
import { activation } from "./activation.ts";
import { askDecision, type LoaderDecision } from "./ask-decision.ts";
import { takeCommands } from "./command-queue.ts";
import { isOwnPage, isSupported } from "./may-run-here.ts";
import { ownTags } from "./own-tags.ts";
import { isOnPage, pageRecord } from "./page-record.ts";
import { readTag } from "./read-tag.ts";
import { snippetPing } from "./snippet-ping.ts";

/** What the chunk of commands gets from the loader. */
export type Loader = {
  begin: typeof begin;
  openOverlay: typeof openOverlay;
  isOwnPage: typeof isOwnPage;
};

const page = pageRecord<Commands>();

try {
  if (isSupported()) ownTags().forEach(enter);
} catch {
  // Whatever is odd about this page, it is not made worse.
}

/** A tag that only names its website is answered from here; whatever asks for more gets the commands. */
function enter(script: HTMLScriptElement): void {
  const { src, dataset } = script;
  const options: Record<string, string | undefined> = {};
  // Not spread: where a page has given every object a `get`, Chromium throws at that.
  for (const name in dataset) options[name] = dataset[name];
  const base = serviceBase(src);
  const name = options.global || "offerService";
  let waiting: ReturnType<typeof takeCommands> = [];
  if (!page.names.includes(name)) {
    page.names.push(name);
    waiting = takeCommands(name, (command) =>
      commands(base)
        .then(({ run }) => run(command, src, options))
        .catch(nothing),
    );
  }
  const tag = readTag(src, options, location.search);
  const isTold = waiting.length || page.commands;
  if (isTold || (options.consent || "none") !== "none" || tag?.mode === "section") {
    commands(base)
      .then((chunk) => chunk.enter(src, options, script, waiting))
      .catch(nothing);
  } else if (tag?.mode === "overlay") begin(tag, show, script).catch(nothing);
}

function nothing(): void {}

/** The name is a variable: a literal would be bundled into this file. So is the overlay's. */
function commands(base: string): Promise<Commands> {
  page.commands ||= activation()
    .then(() => import(/* @vite-ignore */ base + commandsFile))
    .then(({ start }: { start: typeof startCommands }) => start(page, { begin, openOverlay, isOwnPage }));
  return page.commands;
}

/**
 * Begins a visit, unless its like has begun on this page or the page is framed by somebody else's; settles
 * when the visit is over.
 */
async function begin(tag: LoaderTag, show: Show, script?: Element): Promise<void> {
  if (!("frame" in tag.options) && !isOwnPage()) return;
  const visit: Visit = {
    tag,
    script,
    send: eventSender(tag.base),
    tell: (event, detail) => page.tell(event, detail),
    closing: new AbortController(),
  };
  if (isOnPage(page.visits, visit)) return;
  page.visits.push(visit);
  await ask(visit, show);
}

type Show = (visit: Visit) => Promise<unknown>;

/** One page view. Any failure ends it, and the page stays as it is. */
async function ask(visit: Visit, show: Show): Promise<void> {
  const { tag, closing } = visit;
  const { website, mode } = tag;
  try {
    await activation();
    const decision = await askDecision(decisionUrl(tag));
    if (closing.signal.aborted) return;
    visit.decision = decision;
    visit.send("snippet-ping", snippetPing(tag, location));
    const { allowed, country, region } = decision;
    visit.tell("decision", { website, mode, allowed, country, region });
    if (!allowed || mode !== "overlay") await show(visit);
  } catch {
    visit.tell("error", { website, mode });
  }
}

async function show(visit: Visit): Promise<unknown> {
  const { trigger, base } = visit.tag;
  const when = trigger || (visit.decision as LoaderDecision).settings?.trigger || "immediate";
  return when === "immediate" ? openOverlay(visit) : (await commands(base)).show(visit);
}

async function openOverlay(visit: Visit): Promise<void> {
  const overlay: { open: typeof open } = await import(/* @vite-ignore */ visit.tag.base + overlayFile);
  await overlay.open(visit);
}
