import { tagSelector } from "../loader/own-tags.ts";
import type { Options } from "../wire/visit.ts";

/** The tags that stand in the page. */
export const tagsInPage = () => document.querySelectorAll<HTMLScriptElement>(tagSelector);

/** What stands on a tag. */
export function optionsOn({ dataset }: HTMLScriptElement): Options {
  const options: Record<string, unknown> = {};
  // Not spread, as in the loader, which has this in line: a function there would cost each visitor some bytes.
  for (const name in dataset) options[name] = dataset[name];
  return options;
}

/** What options ask for, as far as they name it. */
export const placeOf = ({ website, mode, container }: Options): string =>
  [website, mode, container].join(" ");

/** Whether two tags that name a website ask for the same by what stands on them. */
export function isAlike(one: HTMLScriptElement, other: HTMLScriptElement): boolean {
  return Boolean(one.dataset.website) && placeOf(optionsOn(one)) === placeOf(optionsOn(other));
}
