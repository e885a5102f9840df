/** Resolves when the page is shown to a visitor. A prerendered page may never be, and must not count until then. */
export async function activation(): Promise<void> {
  if (document.prerendering) {
    await new Promise((resolve) => document.addEventListener("prerenderingchange", resolve));
  }
}
