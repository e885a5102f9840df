/** Of the script tags in the page that name a website. */
export const tagSelector = 'script[data-website][src*="/embed.js"]';

/**
 * The script tags that this run of the loader answers for: its own, or, when something else runs it
 * (script deferrers and module tags leave `currentScript` empty), every tag that looks like it. Its own tag
 * may name no website, as tag managers strip attributes: then the page says it by a command.
 */
export function ownTags(): HTMLScriptElement[] | NodeListOf<HTMLScriptElement> {
  const current = document.currentScript as HTMLScriptElement | null;
  const alike = document.querySelectorAll<HTMLScriptElement>(tagSelector);
  return current && (current.dataset.website || !alike[0]) ? [current] : alike;
}
