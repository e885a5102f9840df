import type { Command } from "../loader/command-queue.ts";
import type { Options } from "../wire/visit.ts";
import { belongsTo, combined, joined, shared } from "./belongs-to.ts";
import type { consentGates } from "./consent-gates.ts";
import type { pageSetups } from "./setups.ts";
import { isAlike, optionsOn, placeOf, tagsInPage } from "./tags.ts";

/** What `init` has said of one thing that the page asks for. */
type Heard = {
  /** The last tag that asks for it; null while there is none. */
  script: HTMLScriptElement | null;
  more: Options;
  /** Number of `close` commands before this was first asked for; a later `close` ends it. */
  asked: number;
  /** While the rest of the page is awaited, in which its tag may stand: the tag whose function was called. */
  awaiting?: HTMLScriptElement | undefined;
};

/** What the page has said so far on its tags and by `init`, by which its setups are added. */
export function pageSaid(
  { add, closes }: Pick<ReturnType<typeof pageSetups>, "add" | "closes">,
  gates: Pick<ReturnType<typeof consentGates>, "reconsider">,
) {
  /** What a tag says together with what `init` has added. */
  const grown = new WeakMap<Element, Options>();
  /** What is known of websites whose tag is not in the page, or not any more. */
  const named = new Map<unknown, Options>();
  /** What `init` has said, by `placeOf`: whichever tag comes there, late or by a route, takes it over. */
  const heard = new Map<string, Heard>();
  /** Of tags, how often the page had said `close` when it first asked for what they ask for. */
  const asked = new WeakMap<Element, number>();
  const askedBy = (script: HTMLScriptElement) => asked.get(script) ?? closes();
  const said = (script: HTMLScriptElement): Options => grown.get(script) ?? optionsOn(script);
  /** The tag that was called, and the page's others: before it where it is a section's that has left the page. */
  const tagsFrom = (script: HTMLScriptElement) => {
    const others = tagsInPage();
    const isOver = said(script).mode === "section" && !script.isConnected;
    return isOver ? [...others, script] : [script, ...others];
  };
  /** The tag of the website that is named. */
  const ofWebsite = (script: HTMLScriptElement, { website = said(script).website }: Options) =>
    tagsFrom(script).find((one) => belongsTo(said(one), { website }));
  /** What is known of a website, with the consent that it waits for: by its tag, else by what was said of it, else by the tag that was called. */
  const known = (own: HTMLScriptElement | undefined, website: unknown, script: HTMLScriptElement) =>
    own ? said(own) : (named.get(website) ?? said(script));

  /**
   * Adds to a tag what `init` says of it, behind what it has said before of what the tag asks for, or of the one that has left
   * in its favour. Returns all that was added, if anything was.
   */
  function grow(script: HTMLScriptElement, own?: Options): Options | undefined {
    let more = own;
    let before: Options = {};
    for (const [place, one] of heard) {
      // What the tag has taken so far may name its container.
      const wish = combined(said(script), more ?? {});
      const { script: former } = one;
      const isOver = former
        ? !former.isConnected && isAlike(former, script)
        : one.more.website === wish.website &&
          belongsTo(wish, one.more) &&
          // A section behind its tag is another one than that of a container, once that has begun.
          (one.awaiting || !one.more.container || one.more.container === wish.container);
      if (!isOver) continue;
      before = { ...before, ...one.more };
      more = { ...before, ...own };
      heard.delete(place);
      if (one.awaiting) asked.set(script, Math.min(askedBy(script), one.asked));
    }
    if (!more) return;
    grown.set(script, combined(said(script), more));
    const place = placeOf(said(script));
    heard.set(place, { script, more: { ...heard.get(place)?.more, ...more }, asked: askedBy(script) });
    return more;
  }

  /** What is about one of the page's tags is added to that, and anything else begins beside its website's. */
  function init(script: HTMLScriptElement, first: Options, isAgain = false): void {
    const beside = ofWebsite(script, first);
    const base = known(beside, first.website, script);
    const options = joined(base, first);
    const { website } = options;
    let more: Options = { ...first, website };
    const place = placeOf(more);
    const own = tagsFrom(script).find((one) => belongsTo(said(one), more));
    let since = closes();
    if (own) {
      // Again it is part of what was said before, in the order in which it was.
      more = grow(own, isAgain ? undefined : more) ?? more;
      named.set(website, said(own));
      since = askedBy(own);
    } else {
      // What is said of one place is not of its website, but for the consent that is waited for there.
      const { pub, consent, consentPurposes, consentTimeout } = first;
      const waited = consent !== "none" && consent;
      const ofAll = combined({ pub, consent: waited, consentPurposes, consentTimeout }, {});
      // An overlay is what a tag is by itself, so its website begins what it begins.
      const mode = first.mode !== "overlay" && base.mode;
      const kept = { ...(first.container ? ofAll : shared(first)), website };
      named.set(website, joined({ ...base, mode }, kept));
      const before = heard.get(place);
      if (before && !before.script) since = before.asked;
      // A tag of its own, with the consent that it waits for, may stand further down.
      const awaiting = !isAgain && document.readyState === "loading" ? script : undefined;
      // The last word stands last.
      heard.delete(place);
      heard.set(place, { script: null, more: { ...before?.more, ...more }, asked: since, awaiting });
      if (awaiting) {
        addEventListener("DOMContentLoaded", sayAgain);
        return;
      }
    }
    const { src } = own ?? beside ?? script;
    // What has no tag and is said of a place is a section, unless nothing is to begin there.
    const isPlace =
      first.container &&
      !first.mode &&
      (base.mode !== "none" || heard.has(placeOf({ ...more, mode: "section" })));
    const all = own ? said(own) : isPlace ? { ...options, mode: "section" } : options;
    add({ src, options: all, script: own ?? null, more, asked: since });
    // A declined application may wait by what is said of this website, also where it begins nothing else.
    gates.reconsider(all);
  }

  /** All in one turn, so that nothing begins before the last word on it. */
  function sayAgain(): void {
    for (const { awaiting, more } of heard.values()) if (awaiting) init(awaiting, more, true);
  }

  return {
    init,

    /** Takes over a tag with what its waiting commands say of it. Returns all that is known of it whenever it is asked, and the commands that are left. */
    takeOver(
      script: HTMLScriptElement,
      waiting: readonly Command[],
    ): [options: () => Options, others: Command[]] {
      let more = grow(script);
      let closesBefore = closes();
      let isClosing = false;
      const others = waiting.filter((command) => {
        const [name, first] = Array.from(command);
        // A tag that names no website is asked for by its first `init`, which may stand behind a `close`.
        if (name === "close" && !said(script).website) closesBefore += 1;
        isClosing ||= name === "close";
        if (name !== "init" || !belongsTo(said(script), Object(first))) return true;
        more = { ...more, ...grow(script, Object(first)) };
        return false;
      });
      const options = said(script);
      named.set(options.website, options);
      if (!asked.has(script)) asked.set(script, closesBefore);
      // What was said before the script came is said of what stands in the page by now.
      if (isClosing) for (const tag of tagsInPage()) asked.set(tag, askedBy(tag));
      // What names no website asks for nothing yet.
      if (!options.website) asked.delete(script);
      add({ src: script.src, options, script, more, asked: askedBy(script) });
      return [() => said(script), others];
    },

    /** Whose tag speaks for the website of an application, and what is known of that whenever it is asked, its consent included. */
    decline(script: HTMLScriptElement, more: Options): [src: string, options: () => Options] {
      const own = ofWebsite(script, more);
      return [(own ?? script).src, () => joined(known(own, more.website, script), more)];
    },
  };
}
