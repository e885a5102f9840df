import { expect, type Locator, type Page } from "@playwright/test";

/** The host page is as its publisher wrote it: nothing added, nothing styled, the focus where it was. */
export async function expectUntouched(page: Page): Promise<void> {
  const state = () =>
    page.evaluate(() => ({
      inBody: Array.from(document.body.children, ({ tagName }) => tagName).filter((tag) => tag !== "SCRIPT"),
      styled: document.querySelectorAll("[style]").length,
      dialogs: document.querySelectorAll("dialog, [role=dialog]").length,
      focused: document.activeElement?.id ?? "",
      cookies: document.cookie,
      stored: localStorage.length + sessionStorage.length,
    }));
  // A browser fires `close` a moment after a dialog has closed, and only then is the dialog taken out.
  await expect.poll(state).toEqual({
    inBody: ["MAIN"],
    styled: 0,
    dialogs: 0,
    focused: "host-button",
    cookies: "",
    stored: 0,
  });
}

/**
 * Puts the page's clock into the test's hands before the page is opened: time stands still there until
 * `letPass` moves it, so that "not within a second" can be tested without waiting for one.
 */
export async function holdTime(page: Page): Promise<void> {
  // To the browser each call of the clock is one of the visitor's own doings, and the overlay would wait for a pause.
  await page.addInitScript(() => {
    Object.defineProperty(navigator, "userActivation", { value: { isActive: false } });
  });
  const now = Date.now();
  // Until it is stopped the page's clock runs, and it cannot be stopped at a time that has passed.
  await page.clock.install({ time: now - 30_000 });
  await page.clock.pauseAt(now);
}

/**
 * Takes the clock into the test's hands again, after it ran for a while. It leaps to a time that has not passed yet, and
 * where that one has passed before the page hears of it, to another.
 */
export async function holdTimeAgain(page: Page): Promise<void> {
  await expect(async () => {
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 2000));
  }).toPass();
}

/** Has the page be opened in a tab behind another one, until it is turned to. */
export async function openBehind(page: Page): Promise<void> {
  await page.addInitScript(() => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => true });
  });
}

/** Chromium always shows the page under test, so the page is told that it is hidden or visible, as a browser would. */
export function turn(page: Page, state: DocumentVisibilityState): Promise<void> {
  return page.evaluate((to) => {
    Object.defineProperty(document, "visibilityState", { configurable: true, get: () => to });
    Object.defineProperty(document, "hidden", { configurable: true, get: () => to === "hidden" });
    document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
  }, state);
}

/** Waits until links and buttons of the overlay act; until then a click would do nothing. */
export const untilAtRest = (page: Page): Promise<void> =>
  expect(page.locator("dialog[data-rest]")).toBeVisible();

/** The same in held time: what moves does so by the browser's clock, and the rest after it by the page's. */
export async function untilAtRestInHeldTime(page: Page): Promise<void> {
  await page.getByRole("dialog").evaluate(async (dialog) => {
    await Promise.all(dialog.getAnimations({ subtree: true }).map(({ finished }) => finished));
  });
  await letPass(page, 500);
  await untilAtRest(page);
}

/** Lets that much of the page's time pass, with everything that was due in it. */
export async function letPass(page: Page, milliseconds: number): Promise<void> {
  await untilObserved(page);
  await page.clock.runFor(milliseconds);
  await untilObserved(page);
}

/** Moves held time on in small steps until the overlay stands: frames wait for it as well. */
export function untilOpenInHeldTime(page: Page): Promise<void> {
  return untilVisibleInHeldTime(page, page.getByRole("dialog"));
}

/** The same of anything else that is drawn. */
export async function untilVisibleInHeldTime(page: Page, awaited: Locator): Promise<void> {
  await expect
    .poll(async () => {
      await page.clock.runFor(16);
      return awaited.isVisible();
    })
    .toBe(true);
}

/** Observers are called in the order in which they began: once this one is, all earlier ones have been. */
const untilObserved = (page: Page): Promise<void> =>
  page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const observer = new IntersectionObserver(() => {
          observer.disconnect();
          resolve();
        });
        observer.observe(document.documentElement);
      }),
  );

/** The colour that something inside the overlay stands on; `none` where nothing has been given one. */
export function groundOf(inside: Locator): Promise<string> {
  return inside.evaluate((element) => {
    for (let at: Element | null = element; at !== null; at = at.parentElement) {
      const { backgroundColor } = getComputedStyle(at);
      // A dialog is white by itself, as the browser has it.
      if (backgroundColor !== "rgba(0, 0, 0, 0)" && at.tagName !== "DIALOG") return backgroundColor;
    }
    return "none";
  });
}
