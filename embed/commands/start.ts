import { declineFile, sectionFile } from "virtual:built-files";
import type { decline, Opened } from "../decline/open-decline.ts";
import type { Command } from "../loader/command-queue.ts";
import type { Loader } from "../loader/embed.ts";
import { isOnPage, type PageRecord } from "../loader/page-record.ts";
import { readTag } from "../loader/read-tag.ts";
import type { openSection } from "../section/open-section.tsx";
import { eventSender } from "../wire/send-event.ts";
import type { Options, Visit } from "../wire/visit.ts";
import { belongsTo, joined } from "./belongs-to.ts";
import { consentGates } from "./consent-gates.ts";
import { listeners } from "./listeners.ts";
import { overlayOpener } from "./overlay-opener.ts";
import { type Place, releasePlace, reservePlace } from "./reserve-place.ts";

/** What the loader gets from this chunk. */
export type Commands = {
  /** A tag that asks for more than the loader does by itself, and the commands that were waiting for it. */
  enter(src: string, options: Options, script: Element, waiting: readonly Command[]): void;
  run(command: Command, src: string, options: Options): unknown;
  /** Shows a blocked visitor's overlay when its trigger fires. */
  show(visit: Visit): Promise<unknown>;
};

type Entry = { options: Options; src: string; script?: Element | undefined };

/** The chunk's only way in, once a page. */
export function start(page: PageRecord<Commands>, loader: Loader): Commands {
  const listen = listeners(page);
  const gates = consentGates(() => close());
  const overlays = overlayOpener(loader);
  const places = new Set<Place>();
  let entries: Entry[] = [];
  let declining = new AbortController();

  function close(): void {
    declining.abort();
    declining = new AbortController();
    overlays.forget();
    for (const place of places) releasePlace(place, true);
    places.clear();
    for (const visit of page.visits) {
      visit.closing.abort();
      visit.closing = new AbortController();
    }
  }

  /** Everything that a tag or an `init` asks for, once there is consent. */
  async function begin({ options, src, script }: Entry): Promise<void> {
    const tag = readTag(src, options, location.search);
    if (!tag || (tag.mode !== "overlay" && tag.mode !== "section")) return;
    if (!("frame" in options) && !loader.isOwnPage()) return;
    const known = page.visits.find((visit) => isOnPage([visit], { tag, script }));
    // Said again by another tag, or said more of by the page.
    if (known && !script)
      known.tag = readTag(src, { ...known.tag.options, ...options }, location.search) ?? tag;
    if (known || isOnPage(entered(entries), { tag, script })) return;
    entries.push({ options, src, script });
    const isOverlay = tag.mode === "overlay";
    const place = isOverlay ? null : await reservePlace(tag, script);
    if (!isOverlay && !place) return page.tell("error", { website: tag.website, mode: tag.mode });
    await gates.passed(options);
    if (place) places.add(place);
    await loader.begin(
      tag,
      async (visit) => {
        if (!place) return overlays.show(visit);
        const chunk: { openSection: typeof openSection } = await import(
          /* @vite-ignore */ tag.base + sectionFile
        );
        return chunk.openSection(visit, place);
      },
      script,
    );
    if (place && places.delete(place)) releasePlace(place, false);
  }

  /** A new view in the same document: everything goes and begins anew. */
  function view(src: string): void {
    close();
    const again = [...entries];
    for (const { tag, script } of page.visits) {
      if (!isOnPage(entered(again), { tag, script })) again.push({ options: tag.options, src, script });
    }
    entries = [];
    page.visits.length = 0;
    page.log.length = 0;
    for (const entry of again) begin(entry).catch(nothing);
  }

  /** Resolves to the session's id and end, to null when there is none. */
  async function openDecline(given: unknown, src: string, options: Options): Promise<Opened | null> {
    const settings = joined(options, Object(given) as Options);
    const tag = readTag(src, { ...settings, mode: "overlay" }, location.search);
    if (!tag) return null;
    // One application at a time: whoever waits for an earlier one waits no more.
    declining.abort();
    const closing = new AbortController();
    declining = closing;
    try {
      await gates.passed(settings);
      const chunk: { decline: typeof decline } = await import(/* @vite-ignore */ tag.base + declineFile);
      const { base } = tag;
      return await chunk.decline({ tag, send: eventSender(base), tell: page.tell, closing });
    } catch {
      page.tell("error", { website: tag.website, surface: "decline" });
      return null;
    }
  }

  function run(command: Command, src: string, options: Options): unknown {
    const [name, first, second] = Array.from(command);
    switch (name) {
      case "init":
        return begin({ src, options: joined(options, Object(first) as Options) });
      case "open":
        return overlays.open(page.visits);
      case "close":
        return close();
      case "decline":
        return openDecline(first, src, options);
      case "on":
        return listen(first, second);
      case "page":
        return view(src);
      case "consent":
        return gates.say(first === true);
      default:
        return undefined;
    }
  }

  return {
    run,
    show: overlays.show,
    enter(src, options, script, waiting) {
      let own = options;
      const others = waiting.filter((command) => {
        const [name, more] = Array.from(command);
        const isOwn = name === "init" && belongsTo(own, Object(more) as Options);
        if (isOwn) own = { ...own, ...(more as Options) };
        return !isOwn;
      });
      begin({ options: own, src, script }).catch(nothing);
      for (const command of others) run(command, src, own);
    },
  };
}

function nothing(): void {}

const entered = (entries: readonly Entry[]) =>
  entries.flatMap(({ options, src, script }) => {
    const tag = readTag(src, options, "");
    return tag ? [{ tag, script }] : [];
  });
