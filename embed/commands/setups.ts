import { sectionFile } from "virtual:built-files";
import { isOnPage, type PageRecord } from "../loader/page-record.ts";
import { readTag } from "../loader/read-tag.ts";
import type { drawSection } from "../section/draw-section.tsx";
import { type Place, releasePlace, reservePlace } from "../section/reserve-place.ts";
import type { Loader, Present } from "../wire/loader-and-commands.ts";
import type { LoaderTag, Options, Visit } from "../wire/visit.ts";
import { combined } from "./belongs-to.ts";
import type { AreMeant, consentGates } from "./consent-gates.ts";

/**
 * What one tag, or one `init` beside the tags (`script` is null), asks the page view to have. `more` is what an `init` itself
 * has said, with what it takes back; `options` has the tag's beside it.
 */
type Setup = { src: string; options: Options; script: Element | null; more?: Options | undefined };

type TaggedSetup = Setup & { tag: LoaderTag };

type SetupsNeeds = {
  page: PageRecord;
  loader: Loader;
  gates: Pick<ReturnType<typeof consentGates>, "consent" | "isRefused" | "reconsider">;
  /** Presents the overlay of a blocked visitor. */
  openOnTrigger: Present;
};

/** The setups of one page view, each carried out once. */
export function pageSetups({ page, loader, gates, openOnTrigger }: SetupsNeeds) {
  /** The places of sections, from when they are kept free to their end, with whose they are. */
  const places = new Map<Place, TaggedSetup>();
  let setups: TaggedSetup[] = [];

  /** Settles when the visit that the setup asks for is over, or at once when there is to be none. */
  async function carryOut(setup: Setup): Promise<void> {
    const { src, options, script } = setup;
    const tag = readTag(src, options, location.search);
    if (!tag || (tag.mode !== "overlay" && tag.mode !== "section")) return;
    if (!("frame" in options) && !loader.isOwnPage()) return;
    if (isKnown(setup, tag)) return;
    const own = { ...setup, tag };
    setups.push(own);
    if (tag.mode === "section") return carryOutSection(own);
    await gates.consent(() => own.tag.options);
    // Meanwhile a new view of the page may have begun, which waits by itself.
    if (!setups.includes(own)) return;
    await loader.beginVisit(own.tag, openOnTrigger, script);
  }

  async function carryOutSection(own: TaggedSetup): Promise<void> {
    const { tag, script } = own;
    const place = await reservePlace(tag, script);
    if ("reason" in place) return page.tell("error", { website: tag.website, mode: tag.mode, ...place });
    // Meanwhile a new view of the page may have begun, which keeps a place of its own.
    if (!setups.includes(own)) return releasePlace(place, true);
    // A place that may never be filled is not kept free.
    if (gates.isRefused(own.tag.options)) releasePlace(place, true);
    else places.set(place, own);
    await gates.consent(() => own.tag.options);
    if (!setups.includes(own)) return;
    // It went when consent was refused, or by command, and now the tag wants one again.
    if (!places.has(place)) return carryOutSection(own);
    await loader.beginVisit(own.tag, (visit, _decision, closing) => fillPlace(visit, place, closing), script);
    if (places.delete(place)) releasePlace(place, false);
  }

  /** Whether the page has such a visit, or is about to. What `init` says of it is added to both. */
  function isKnown({ src, script, more }: Setup, tag: LoaderTag): boolean {
    const known = [...page.visits, ...setups].filter((one) => isOnPage([one], { tag, script }));
    if (more) {
      for (const one of known) {
        one.tag = readTag(src, combined(one.tag.options, more), location.search) ?? tag;
        gates.reconsider(one.tag.options);
      }
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
      for (const [place, { tag }] of places) {
        if (!areMeant(tag.options)) continue;
        places.delete(place);
        releasePlace(place, isRequested);
      }
    },

    /** Carries everything out anew, for a new view in the same document; what the loader has begun by itself as well. */
    repeat(src: string): void {
      const again: Setup[] = setups.map((one) => ({ ...one, options: one.tag.options }));
      for (const { tag, script } of page.visits) {
        if (!isOnPage(setups, { tag, script })) again.push({ options: tag.options, src, script });
      }
      setups = [];
      page.visits.length = 0;
      page.log.length = 0;
      again.forEach(add);
    },
  };
}

async function fillPlace(visit: Visit, place: Place, closing: AbortSignal): Promise<void> {
  const chunk: { drawSection: typeof drawSection } = await import(
    /* @vite-ignore */ visit.tag.base + sectionFile
  );
  await chunk.drawSection(visit, place, closing);
}
