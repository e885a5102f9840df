import type { BrowserContext, Page } from "@playwright/test";

/**
 * Has pages wait for half a minute at the least where the embed gives up after seconds: where the machine stands still for a
 * while, what is due by then would come before the answer that has arrived meanwhile. Pages whose time a test holds are left as
 * they are, and there the embed's own limits are tried.
 */
export async function makePatient(pages: Page | BrowserContext): Promise<void> {
  await pages.addInitScript(bePatient);
}

/** Runs in the page before any other script, so it can use nothing else of this file. */
export function bePatient(): void {
  // Playwright's clock.
  if ("__pwClock" in window) return;
  const leastMs = 30_000;
  /** How long the embed waits for the offers, for what is known of a session, for a file of words, and for a website's picture. */
  const limitsMs = [4000, 1500, 600];
  // Without a prototype: a page that pollutes the one of objects would set traps by it.
  const handler = <T extends object>(traps: ProxyHandler<T>): ProxyHandler<T> =>
    Object.assign(Object.create(null), traps);
  AbortSignal.timeout = new Proxy(
    AbortSignal.timeout,
    handler({ apply: (timeout, self, [ms]) => Reflect.apply(timeout, self, [Math.max(ms, leastMs)]) }),
  );
  window.setTimeout = new Proxy(
    window.setTimeout,
    handler({
      apply: (start, self, [act, ms, ...words]) =>
        Reflect.apply(start, self, [act, limitsMs.includes(ms) ? leastMs : ms, ...words]),
    }),
  );
}
