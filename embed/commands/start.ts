import { debugFile } from "virtual:built-files";
import type { speak } from "../debug/speak.ts";
import type { Command } from "../loader/command-queue.ts";
import type { PageRecord } from "../loader/page-record.ts";
import type { Commands, Loader } from "../wire/loader-and-commands.ts";
import { serviceBase } from "../wire/service-urls.ts";
import type { Options } from "../wire/visit.ts";
import { belongsTo, combined, joined } from "./belongs-to.ts";
import { type AreMeant, consentGates } from "./consent-gates.ts";
import { pageDeclines } from "./declines.ts";
import { listeners } from "./listeners.ts";
import { overlayOpener } from "./overlay-opener.ts";
import { isPageRuledIn } from "./page-rules.ts";
import { pageSetups } from "./setups.ts";

/** The chunk's only way in, called once a page. What the loader lends comes one by one, which costs it fewer bytes. */
export function start(
  page: PageRecord,
  beginVisit: Loader["beginVisit"],
  openOverlay: Loader["openOverlay"],
  isOwnPage: Loader["isOwnPage"],
): Commands {
  const loader = { beginVisit, openOverlay, isOwnPage };
  const listen = listeners(page);
  const gates = consentGates(close);
  const { openOnTrigger, openNow, forget, tellLeftClosed } = overlayOpener(loader);
  const declines = pageDeclines(page, gates);
  const setups = pageSetups({ page, loader, consent: gates.consent, openOnTrigger });
  /** What a tag says together with what `init` has added, by the object in which the loader has what is on the tag. */
  const grown = new WeakMap<Options, Options>();

  function close(areMeant: AreMeant): void {
    declines.leave(areMeant);
    setups.releasePlaces(areMeant);
    for (const visit of page.visits) {
      if (!areMeant(visit.tag.options)) continue;
      visit.closing.abort();
      visit.closing = new AbortController();
      delete visit.offers;
    }
  }

  function closeAll(): void {
    forget();
    close(() => true);
  }

  function run(command: Command, src: string, onTag: Options): unknown {
    const [name, first, second] = Array.from(command);
    const options = grown.get(onTag) ?? onTag;
    switch (name) {
      case "init": {
        const more: Options = Object(first);
        if (belongsTo(options, more)) grown.set(onTag, combined(options, more));
        return setups.add({ src, options: joined(options, more), script: null, more });
      }
      case "open":
        return openNow(page.visits);
      case "close":
        return closeAll();
      case "decline":
        return declines.decline(src, joined(options, Object(first)));
      case "on":
        return listen(first, second);
      case "page":
        closeAll();
        return setups.repeat(src);
      case "consent":
        return gates.say(first === true);
    }
  }

  function takeOver(src: string, options: Options, script: Element, waiting: readonly Command[]): void {
    const { own, others } = withOwnInits(options, waiting);
    grown.set(options, own);
    setups.add({ src, options: own, script });
    if ("debug" in own || new URLSearchParams(location.search).has("offers-debug")) {
      const base = serviceBase(src);
      import(/* @vite-ignore */ base + debugFile)
        .then((chunk: { speak: typeof speak }) =>
          chunk.speak({ base, options: own, visits: page.visits, listen, isPageRuledIn }),
        )
        .catch(() => {});
    }
    for (const command of others) run(command, src, options);
  }

  tellLeftClosed(page.visits);
  return { run, takeOver, openOnTrigger };
}

/** A tag's options with what each waiting `init` adds to them, and the commands that are about something else. */
function withOwnInits(options: Options, waiting: readonly Command[]): { own: Options; others: Command[] } {
  let own = options;
  const others = waiting.filter((command) => {
    const [name, first] = Array.from(command);
    const more: Options = Object(first);
    const isOwn = name === "init" && belongsTo(own, more);
    if (isOwn) own = combined(own, more);
    return !isOwn;
  });
  return { own, others };
}
