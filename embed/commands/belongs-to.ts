import type { Options } from "../wire/visit.ts";

/**
 * Whether options given to `init` say more about what a tag already asks for, rather than asking for something
 * beside it: another website, another mode, another place in the page.
 */
export function belongsTo(tag: Options, more: Options): boolean {
  const agree = (name: string, usual?: string) =>
    !more[name] || !(tag[name] || usual) || more[name] === (tag[name] || usual);
  // A section stands behind its tag where nothing names another place; a tag that names no website may be anything.
  const isPlaced = !more.container || tag.container || tag.mode === "section" || !tag.website;
  return agree("website") && agree("container") && isPlaced && (!tag.website || agree("mode", "overlay"));
}

/** The options that describe one place in a page, and so do not hold for another. */
const ofOnePlace = ["container", "height", "limit", "trigger", "opener"];

/** What of these options holds beside their place in the page as well. */
export function shared(options: Options): Options {
  const all = Object.entries(options).filter(([name, value]) =>
    // A tag of mode `none` begins nothing, and its commands do not either until one of them names a mode.
    name === "mode" ? value === "none" : !ofOnePlace.includes(name),
  );
  return Object.fromEntries(all);
}

/** Options for something beside the tag: the keys and words are the same unless they are given anew. */
export function joined(tag: Options, more: Options): Options {
  return combined(shared(tag), more);
}

/** Options with what is said later. What is `false` or missing counts as an attribute that is not there. */
export function combined(options: Options, more: Options): Options {
  const all = Object.entries({ ...options, ...more });
  return Object.fromEntries(all.filter(([, value]) => value !== false && (value ?? null) !== null));
}
