import { chromium, devices, type Page } from "@playwright/test";
import type { Engine, Tab, Visitor } from "./engine.ts";

/** The Chromium that the other end-to-end tests use, with its back-forward cache switched on. */
export async function startChromium(path: string, visitor: Visitor): Promise<Engine> {
  const browser = await chromium.launch({
    executablePath: path,
    chromiumSandbox: process.getuid?.() !== 0,
    ignoreDefaultArgs: ["--disable-back-forward-cache"],
  });
  const open = async (): Promise<Tab> => {
    const context = await browser.newContext({
      ...devices["Desktop Chrome"],
      locale: "en-US",
      ...(visitor === "cautious" ? ({ colorScheme: "dark", reducedMotion: "reduce" } as const) : {}),
    });
    const page = await context.newPage();
    const faults = faultsOf(page);
    return {
      goto: async (url) => {
        await page.goto(url);
      },
      evaluate: (expression) => page.evaluate<string>(expression),
      press: (key) => page.keyboard.press(key),
      faults: () => faults,
      close: () => context.close(),
    };
  };
  return { open, close: () => browser.close() };
}

const faultsOf = (page: Page): string[] => {
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") faults.push(message.text());
  });
  return faults;
};
