import { debugFile } from "virtual:built-files";
import type { speak } from "../debug/speak.ts";
import type { Command } from "../loader/command-queue.ts";
import type { PageRecord } from "../loader/page-record.ts";
import type { Commands, Loader } from "../wire/loader-and-commands.ts";
import { serviceBase } from "../wire/service-urls.ts";
import { type AreMeant, consentGates } from "./consent-gates.ts";
import { pageDeclines } from "./declines.ts";
import { listeners } from "./listeners.ts";
import { overlayOpener } from "./overlay-opener.ts";
import { isPageRuledIn } from "./page-rules.ts";
import { pageSaid } from "./said.ts";
import { pageSetups } from "./setups.ts";
import { chooseTrigger } from "./trigger.ts";

/** The chunk's only way in, called once a page. What the loader lends comes one by one, which costs it fewer bytes. */
export function start(
  page: PageRecord,
  beginVisit: Loader["beginVisit"],
  openOverlay: Loader["openOverlay"],
  isOwnPage: Loader["isOwnPage"],
  load: Loader["load"],
): Commands {
  const loader = { beginVisit, openOverlay, isOwnPage, load };
  const { listen, unlisten, beginView } = listeners(page);
  const stop = (areMeant: AreMeant) => {
    close(areMeant);
    setups.awaitAgain();
  };
  const gates = consentGates(stop, (areMeant) => {
    declines.leave(areMeant);
    setups.releasePlaces(areMeant, false);
  });
  const opener = overlayOpener(loader, page.visits);
  const declines = pageDeclines(page, gates, loader);
  const setups = pageSetups({ page, loader, gates, openOnTrigger: opener.openOnTrigger });
  const said = pageSaid(setups, gates);

  function close(areMeant: AreMeant): void {
    declines.leave(areMeant);
    setups.releasePlaces(areMeant, true);
    for (const visit of page.visits) {
      if (!areMeant(visit.tag.options)) continue;
      visit.closing.abort();
      delete visit.offers;
    }
  }

  function closeAll(): void {
    opener.forget();
    close(() => true);
    setups.close();
  }

  function run(command: Command, script: HTMLScriptElement): unknown {
    const [name, first, second] = Array.from(command);
    switch (name) {
      case "init":
        return said.init(script, Object(first));
      case "open":
        setups.open();
        return opener.openNow();
      case "close":
        return closeAll();
      case "decline":
        return declines.decline(...said.decline(script, Object(first)));
      case "on":
        return listen(first, second);
      case "off":
        return unlisten(first, second);
      case "page":
        closeAll();
        gates.forget();
        beginView([...setups.takeVisits(), declines.latest()]);
        return setups.repeat();
      case "consent":
        return gates.say(first === true);
    }
  }

  function takeOver(script: HTMLScriptElement, waiting: readonly Command[]): void {
    const [options, others] = said.takeOver(script, waiting);
    if ("debug" in options() || new URLSearchParams(location.search).has("offers-debug")) {
      const base = serviceBase(script.src);
      load<{ speak: typeof speak }>(base + debugFile)
        .then((chunk) =>
          chunk.speak(
            base,
            options,
            page.visits,
            listen,
            isPageRuledIn,
            chooseTrigger,
            isOwnPage,
            gates.refusal,
          ),
        )
        .catch(() => {});
    }
    for (const command of others) run(command, script);
  }

  opener.tellLeftClosed();
  return { run, takeOver, openOnTrigger: opener.openOnTrigger };
}
