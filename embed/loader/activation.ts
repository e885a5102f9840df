/** Resolves when the page is shown to a visitor. A prerendered page may never be, and must not count until then. */
export function activation(): Promise<unknown> {
  return new Promise((resolve) => {
    if (document.prerendering) document.addEventListener("prerenderingchange", resolve, { once: true });
    else resolve(undefined);
  });
}
