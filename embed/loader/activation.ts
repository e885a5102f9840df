/**
 * Resolves when somebody looks at the page. One that was prerendered, or opened in a tab behind, may never be looked at: it
 * must not count until then, and what is decided for it is to be true when it is.
 */
export async function activation(): Promise<void> {
  while (document.prerendering || document.hidden) {
    await new Promise((resolve) =>
      document.addEventListener(document.prerendering ? "prerenderingchange" : "visibilitychange", resolve, {
        once: true,
      }),
    );
  }
}
