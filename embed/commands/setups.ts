import { sectionFile } from "virtual:built-files";
import { isOnPage, type PageRecord } from "../loader/page-record.ts";
import { readTag } from "../loader/read-tag.ts";
import { snippetPing } from "../loader/snippet-ping.ts";
import type { drawSection } from "../section/draw-section.tsx";
import { containerOf, type Place, releasePlace, reservePlace, untilSeen } from "../section/reserve-place.ts";
import type { Loader, Present } from "../wire/loader-and-commands.ts";
import { eventSender } from "../wire/send-event.ts";
import type { LoaderTag, Options, Visit } from "../wire/visit.ts";
import { combined } from "./belongs-to.ts";
import { chunkFrom } from "./chunk-from.ts";
import type { AreMeant, consentGates } from "./consent-gates.ts";
import { tagsInPage } from "./tags.ts";

/**
 * What one tag, or one `init` beside the tags (`script` is null), asks the page view to have. `more` is what an `init` itself
 * has said, with what it takes back; `options` has the tag's beside it.
 */
type Setup = {
  src: string;
  options: Options;
  script: Element | null;
  more?: Options | undefined;
  /** Number of `close` commands before this was asked for; a later `close` ends it. Unset: 0. */
  asked?: number;
};

type TaggedSetup = Setup & {
  tag: LoaderTag;
  /**
   * With what a section leaves the page: its element, or its container where the element has been taken away again. Null
   * where it found no place.
   */
  anchor?: Element | null | undefined;
  /** The place of a section, from when it is kept free. */
  place?: Place;
  /** Aborted when nothing is to come into that place any more; it may stay for a while. */
  emptied?: AbortController;
};

type TagInPage = Pick<Visit, "tag" | "script">;

type Known = TagInPage & Pick<Setup, "more" | "asked">;

type SetupsNeeds = {
  page: PageRecord;
  loader: Loader;
  gates: Pick<ReturnType<typeof consentGates>, "consent" | "refusal" | "reconsider">;
  /** Presents the overlay of a blocked visitor. */
  openOnTrigger: Present;
};

/** The setups of one page view, each carried out once. */
export function pageSetups({ page, loader, gates, openOnTrigger }: SetupsNeeds) {
  const sectionChunk = chunkFrom<{ drawSection: typeof drawSection }>(loader, sectionFile);
  let setups: TaggedSetup[] = [];
  /** The sections behind tags that have left the page, which a later view of the page may have again. */
  const away = new WeakMap<Element, Setup>();
  /** The visits that have been ended within this view of the page. Each holds its route's elements, so others are to keep it. */
  let ended: WeakRef<Visit>[] = [];
  /** How often the page has said `close`, and which of these times holds for a mode: what was asked for before it is closed. */
  let closes = 0;
  let closedBefore: Partial<Record<string, number>> = {};
  const isClosed = ({ tag, asked = 0 }: Known) => asked < (closedBefore[tag.mode] ?? 0);

  /** Settles when the visit that the setup asks for is over, or at once when there is to be none. */
  async function carryOut(setup: Setup): Promise<void> {
    const { src, options, script } = setup;
    const tag = readTag(src, options, location.search);
    if (!tag || !["overlay", "section", "none"].includes(tag.mode)) return;
    if (!("frame" in options) && !loader.isOwnPage()) return;
    const place = { tag, script };
    const gone = goneAt(place);
    if (gone) {
      // What `init` has said of the place holds for its successor, which is asked for now.
      const more = gone.more && { ...gone.more, ...setup.more };
      const successor = { ...setup, asked: closes };
      return carryOut(more ? { ...successor, options: combined(options, more), more } : successor);
    }
    if (isBehindTag(tag)) {
      // What `init` says of it holds from when it is back.
      if (isLeft(place) && away.has(place.script)) return void away.set(place.script, setup);
      // A tag that is back says it by itself.
      if (script?.isConnected) away.delete(script);
      // Those that have left the page together with their tags are over, as each route brings one along: here is the next.
      renew(
        setups.filter(
          (one) => isLeft(one) && one.tag.website === tag.website && !one.place?.host.isConnected,
        ),
      );
    }

    if (isKnown(setup, tag)) return;
    const own = { ...setup, tag };
    setups.push(own);
    if (tag.mode === "section") return carryOutSection(own);
    await gates.consent(() => own.tag.options);
    // Meanwhile a new view of the page may have begun, which waits by itself.
    if (!setups.includes(own)) return;
    if (tag.mode !== "none") {
      if (isClosed(own)) return;
      return loader.beginVisit(own.tag, openOnTrigger, script);
    }
    // What begins nothing by itself is there for declined applications, and is in the page all the same.
    eventSender(tag.base)("snippet-ping", snippetPing({ ...own.tag, mode: "decline" }, location));
  }

  async function carryOutSection(own: TaggedSetup): Promise<void> {
    release(own, true);
    // A container that comes in place of this one is another section's.
    own.anchor ??= containerOf(own.tag.options.container) ?? undefined;
    // A place that may never be filled is not kept free.
    if (gates.refusal(own.tag.options)) {
      await gates.consent(() => own.tag.options);
      if (!setups.includes(own)) return;
    }
    const { tag, script } = own;
    if (isClosed(own)) return tie(own);
    const place = await reservePlace(tag, script, (host) => {
      own.anchor = host;
    });
    if ("reason" in place) {
      // Meanwhile a new view of the page may have begun, or another tag has taken its place.
      if (!setups.includes(own)) return;
      own.anchor = null;
      return page.tell("error", { website: tag.website, mode: tag.mode, ...place });
    }
    // Meanwhile a new view of the page may have begun, which keeps a place of its own.
    if (!setups.includes(own)) return releasePlace(place, true);
    own.place = place;
    own.emptied = new AbortController();
    const { signal } = own.emptied;
    if (isClosed(own) || gates.refusal(own.tag.options)) release(own, true);
    await gates.consent(() => own.tag.options);
    // Its visitor may have consented in another tab of the page.
    await untilSeen(place, signal);
    if (!setups.includes(own)) return;
    // It went when consent was refused, or by command: where the tag still wants one, it gets another.
    if (signal.aborted) return carryOutSection(own);
    const fillPlace: Present = async (visit, _decision, closing) =>
      (await sectionChunk(visit.tag.base)).drawSection(visit, place, closing);
    await loader.beginVisit(own.tag, fillPlace, script);
    release(own, false);
  }

  /**
   * A section that is closed before it has a place is that of the container which is there by then, or comes with the rest of
   * the page. Who asks once there is another asks for another section.
   */
  async function tie(own: TaggedSetup): Promise<void> {
    const { mode, options } = own.tag;
    if (mode !== "section" || !options.container) return;
    if (document.readyState === "loading")
      await new Promise((resolve) => addEventListener("DOMContentLoaded", resolve));
    if (own.anchor === undefined) own.anchor = containerOf(options.container);
  }

  function release(own: TaggedSetup, isRequested: boolean): void {
    const { place, emptied } = own;
    if (!place) return;
    if (!emptied?.signal.aborted) own.anchor = place.host.parentElement;
    emptied?.abort();
    if (isRequested) delete own.place;
    releasePlace(place, isRequested);
  }

  /** What the page view has, as the loader has begun it or the commands. */
  const everything = (): Known[] => [...setups, ...page.visits.filter((visit) => !isOnPage(setups, visit))];

  /** Ends what the page view has of these, and knows them no longer. */
  function drop(these: readonly TagInPage[]): void {
    for (const own of setups) if (isOnPage(these, own)) release(own, true);
    setups = setups.filter((one) => !isOnPage(these, one));
    for (const visit of page.visits.splice(0)) {
      if (!isOnPage(these, visit)) page.visits.push(visit);
      else {
        visit.closing.abort();
        ended.push(new WeakRef(visit));
      }
    }
  }

  /** Ends these, and carries them out anew. */
  function renew(these: readonly Known[]): void {
    drop(these);
    for (const one of these) {
      const { tag, script, more, asked = 0 } = one;
      const setup = { src: tag.base, options: tag.options, script, more, asked };
      // A section stands behind its tag, and comes in a view of the page that has the tag again.
      if (isLeft(one)) away.set(one.script, setup);
      else add(setup);
    }
  }

  /** Ends a section that has left the page with its container, so that the container's successor may have one, and returns it. */
  function goneAt(place: TagInPage): TaggedSetup | undefined {
    const isGone = ({ anchor }: TaggedSetup) => anchor !== undefined && !anchor?.isConnected;
    const gone = setups.filter((one) => isGone(one) && isOnPage([one], place));
    drop(gone);
    return gone[0];
  }

  /** Whether the page has such a visit, or is about to. What `init` says of it is added to both. */
  function isKnown({ src, script, more }: Setup, tag: LoaderTag): boolean {
    const known: Known[] = [...page.visits, ...setups].filter((one) => isOnPage([one], { tag, script }));
    if (more) {
      for (const one of known) {
        one.more = { ...one.more, ...more };
        one.tag = readTag(src, combined(one.tag.options, more), location.search) ?? tag;
      }
      // Only then, since what is refused is carried out anew by what is known of it.
      for (const one of known) gates.reconsider(one.tag.options);
    }
    return known.length > 0;
  }

  /** Carries a setup out, unless the page view has it already. */
  function add(setup: Setup): void {
    // What goes wrong is told as an event; the page's own error handlers are not to hear of it.
    carryOut(setup).catch(() => {});
  }

  return {
    add,

    /** Takes away the places of the sections that are meant, with whatever stands in them; at once where that is requested. */
    releasePlaces(areMeant: AreMeant, isRequested: boolean): void {
      for (const own of setups) if (areMeant(own.tag.options)) release(own, isRequested);
    },

    /** Has the visits that have begun and to which consent is refused by now wait for a yes again. */
    awaitAgain(): void {
      const begun = page.visits.filter(({ tag }) => gates.refusal(tag.options));
      renew(everything().filter((one) => isOnPage(begun, one)));
    },

    /** The visits of this view of the page, with those that were ended within it; the next view is to ask for its own. */
    takeVisits(): Visit[] {
      const all = [...page.visits, ...ended.flatMap((visit) => visit.deref() ?? [])];
      ended = [];
      return all;
    },

    /** How often the page has said `close`. */
    closes: () => closes,

    /** Whatever was asked for so far stays closed, also where it has yet to begin. */
    close(): void {
      closes += 1;
      closedBefore = { overlay: closes, section: closes };
      for (const own of setups) void tie(own);
    },

    /** Begins the overlays that were closed before they could; those that had begun are opened as visits. */
    open(): void {
      const closed = everything().filter((one) => one.tag.mode === "overlay" && isClosed(one));
      closedBefore.overlay = 0;
      renew(closed.filter((one) => !isOnPage(page.visits, one)));
    },

    /** Carries everything out anew, for a new view in the same document; what the loader has begun by itself as well. */
    repeat(): void {
      closedBefore = {};
      renew(everything());
      for (const script of tagsInPage()) {
        const back = away.get(script);
        away.delete(script);
        if (back) add(back);
      }
    },
  };
}

/** Whether this is a section that stands behind its tag. */
const isBehindTag = ({ mode, options }: LoaderTag): boolean => mode === "section" && !options.container;

/** The same where that tag is not in the page any more. */
function isLeft<One extends TagInPage>(one: One): one is One & { script: Element } {
  return isBehindTag(one.tag) && one.script?.isConnected === false;
}
