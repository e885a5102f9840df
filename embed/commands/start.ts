import { debugFile } from "virtual:built-files";
import type { speak } from "../debug/speak.ts";
import type { Command } from "../loader/command-queue.ts";
import { tagSelector } from "../loader/own-tags.ts";
import type { PageRecord } from "../loader/page-record.ts";
import type { Commands, Loader } from "../wire/loader-and-commands.ts";
import { serviceBase } from "../wire/service-urls.ts";
import type { Options } from "../wire/visit.ts";
import { belongsTo, combined, joined, shared } from "./belongs-to.ts";
import { type AreMeant, consentGates } from "./consent-gates.ts";
import { pageDeclines } from "./declines.ts";
import { listeners } from "./listeners.ts";
import { overlayOpener } from "./overlay-opener.ts";
import { isPageRuledIn } from "./page-rules.ts";
import { pageSetups } from "./setups.ts";

/**
 * What `init` has said of one thing that the page asks for: with the last tag that asks for it, null while there is none, and
 * whether the page has said `close` since.
 */
type Heard = { script: HTMLScriptElement | null; more: Options; isClosed?: boolean };

/** The chunk's only way in, called once a page. What the loader lends comes one by one, which costs it fewer bytes. */
export function start(
  page: PageRecord,
  beginVisit: Loader["beginVisit"],
  openOverlay: Loader["openOverlay"],
  isOwnPage: Loader["isOwnPage"],
): Commands {
  const loader = { beginVisit, openOverlay, isOwnPage };
  const listen = listeners(page);
  const stop = (areMeant: AreMeant) => {
    close(areMeant);
    setups.awaitAgain();
  };
  const gates = consentGates(stop, (areMeant) => {
    declines.leave(areMeant);
    setups.releasePlaces(areMeant, false);
  });
  const { openOnTrigger, openNow, forget, tellLeftClosed } = overlayOpener(loader);
  const declines = pageDeclines(page, gates);
  const setups = pageSetups({ page, loader, gates, openOnTrigger });
  /** What a tag says together with what `init` has added. */
  const grown = new WeakMap<Element, Options>();
  /** What is known of websites whose tag is not in the page, or not any more. */
  const named = new Map<unknown, Options>();
  /** What `init` has said, by `placeOf`: whichever tag comes there, late or by a route, takes it over. */
  const heard = new Map<string, Heard>();
  const said = (script: HTMLScriptElement): Options => grown.get(script) ?? optionsOn(script);
  /** The tag that was called, and the page's others: before it where it is a section's that has left the page. */
  const tagsFrom = (script: HTMLScriptElement) => {
    const others = document.querySelectorAll<HTMLScriptElement>(tagSelector);
    const isOver = said(script).mode === "section" && !script.isConnected;
    return isOver ? [...others, script] : [script, ...others];
  };

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
    forget();
    close(() => true);
    setups.close();
    markHeard(true);
  }

  function markHeard(isClosed: boolean): void {
    for (const one of heard.values()) one.isClosed = isClosed;
  }

  /** Adds to a tag what `init` says of it; false for what `init` says of something else. */
  function grow(script: HTMLScriptElement, more: Options): boolean {
    const belongs = belongsTo(said(script), more);
    if (belongs) {
      const place = placeOf(combined(said(script), more));
      const before = heard.get(place);
      const all = { ...before?.more, ...more };
      // Of two sections of a website, each behind its tag, the other's is not this one's.
      grown.set(script, combined(said(script), before?.script ? more : all));
      heard.set(place, { script, more: all });
    }
    return belongs;
  }

  /** Adds to a tag what `init` has said before of what it asks for, or of the one that has left in its favour. */
  function inherit(script: HTMLScriptElement, own?: Options): Options | undefined {
    const asked = said(script);
    let more: Options | undefined;
    for (const [place, { script: former, more: before }] of heard) {
      const isOver = former
        ? !former.isConnected && place === placeOf(asked)
        : before.website === asked.website && belongsTo(asked, before);
      if (!isOver) continue;
      more = { ...more, ...before };
      heard.delete(place);
    }
    if (!more) return own;
    more = { ...more, ...own };
    grow(script, more);
    return more;
  }

  /** The tag of the website that is named. */
  const ofWebsite = (script: HTMLScriptElement, { website = said(script).website }: Options) =>
    tagsFrom(script).find((one) => belongsTo(said(one), { website }));
  /** What is known of a website, with the consent that it waits for: by its tag, else by what was said of it, else by the tag that was called. */
  const known = (own: HTMLScriptElement | undefined, website: unknown, script: HTMLScriptElement) =>
    own ? said(own) : (named.get(website) ?? said(script));

  /** What is about one of the page's tags is added to that, and anything else begins beside its website's. */
  function init(script: HTMLScriptElement, first: Options, again?: Heard): void {
    const beside = ofWebsite(script, first);
    const base = known(beside, first.website, script);
    const options = joined(base, first);
    const { website } = options;
    let more: Options = { ...first, website };
    const place = placeOf(more);
    const own = tagsFrom(script).find((one) => grow(one, more));
    if (own) {
      if (!again) more = inherit(own, more) ?? more;
      named.set(website, said(own));
    } else {
      // What is said of one place is not of its website, but for the consent that is waited for there.
      const { pub, consent, consentPurposes, consentTimeout } = first;
      const waited = consent !== "none" && consent;
      const ofAll = combined({ pub, consent: waited, consentPurposes, consentTimeout }, {});
      // An overlay is what a tag is by itself, so its website begins what it begins.
      const mode = first.mode !== "overlay" && base.mode;
      const kept = { ...(first.container ? ofAll : shared(first)), website };
      named.set(website, joined({ ...base, mode }, kept));
      heard.set(place, { script: null, more: { ...heard.get(place)?.more, ...more } });
    }
    // A tag of its own, with the consent that it waits for, may stand further down.
    if (!own && document.readyState === "loading") {
      // By then it may have been said otherwise.
      const sayAgain = () => {
        const last = heard.get(place);
        if (last) init(script, last.more, last);
      };
      addEventListener("DOMContentLoaded", sayAgain);
      return;
    }
    const { src } = own ?? beside ?? script;
    // What has no tag and is said of a place is a section, unless nothing is to begin there.
    const isPlace =
      first.container &&
      !first.mode &&
      (base.mode !== "none" || heard.has(placeOf({ ...more, mode: "section" })));
    const all = own ? said(own) : isPlace ? { ...options, mode: "section" } : options;
    setups.add({ src, options: all, script: own ?? null, more, isClosed: again?.isClosed });
    // A declined application may wait by what is said of this website, also where it begins nothing else.
    gates.reconsider(all);
  }

  /** By what is known of the website, its consent included. */
  function decline(script: HTMLScriptElement, more: Options): unknown {
    const own = ofWebsite(script, more);
    return declines.decline((own ?? script).src, () => joined(known(own, more.website, script), more));
  }

  function run(command: Command, script: HTMLScriptElement): unknown {
    const [name, first, second] = Array.from(command);
    switch (name) {
      case "init":
        return init(script, Object(first));
      case "open":
        markHeard(false);
        setups.open();
        return openNow(page.visits);
      case "close":
        return closeAll();
      case "decline":
        return decline(script, Object(first));
      case "on":
        return listen(first, second);
      case "page":
        closeAll();
        markHeard(false);
        gates.forget();
        return setups.repeat();
      case "consent":
        return gates.say(first === true);
    }
  }

  function takeOver(script: HTMLScriptElement, waiting: readonly Command[]): void {
    const { src } = script;
    let more = inherit(script);
    const others = waiting.filter((command) => {
      const [name, first] = Array.from(command);
      if (name !== "init" || !grow(script, Object(first))) return true;
      more = { ...more, ...Object(first) };
      return false;
    });
    const options = said(script);
    named.set(options.website, options);
    setups.add({ src, options, script, more });
    if ("debug" in options || new URLSearchParams(location.search).has("offers-debug")) {
      const base = serviceBase(src);
      import(/* @vite-ignore */ base + debugFile)
        .then((chunk: { speak: typeof speak }) =>
          chunk.speak({ base, options, visits: page.visits, listen, isPageRuledIn }),
        )
        .catch(() => {});
    }
    for (const command of others) run(command, script);
  }

  tellLeftClosed(page.visits);
  return { run, takeOver, openOnTrigger };
}

/** What options ask for, as far as they name it. */
const placeOf = ({ website, mode, container }: Options): string => [website, mode, container].join(" ");

/** What stands on a tag. */
function optionsOn({ dataset }: HTMLScriptElement): Options {
  const options: Record<string, unknown> = {};
  // Not spread, as in the loader, which has this in line: a function there would cost each visitor some bytes.
  for (const name in dataset) options[name] = dataset[name];
  return options;
}
