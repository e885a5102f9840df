/**
 * The script tags that this run of the loader answers for: its own, or, when something else runs it
 * (script deferrers and module tags leave `currentScript` empty), every tag that looks like it.
 */
export function ownTags(): HTMLScriptElement[] {
  const current = document.currentScript as HTMLScriptElement | null;
  return current?.dataset.website
    ? [current]
    : Array.from(document.querySelectorAll('script[data-website][src*="/embed.js"]'));
}
