/** Resolves when the page is really visited: a prerendered one may never be, and must not count. */
export function activation(): Promise<unknown> {
  return new Promise((resolve) => {
    if (document.prerendering) document.addEventListener("prerenderingchange", resolve, { once: true });
    else resolve(undefined);
  });
}
