/** The engines that real browsers are made of. Chromium is always there; the others where they can be had. */
export type EngineName = "chromium" | "firefox" | "webkit";

/**
 * Who sits in front of the browser. The cautious one likes it dark and still, and, where the engine has the
 * switch, does not want to be sold or shared.
 */
export type Visitor = "ordinary" | "cautious";

/** One started browser. */
export type Engine = {
  open: () => Promise<Tab>;
  close: () => Promise<void>;
};

/** The little that all engines can be asked for in the same words. */
export type Tab = {
  /** Resolves when the page has loaded. */
  goto: (url: string) => Promise<void>;
  /** Runs an expression in the page's own world; resolves to what its promise does, a text. */
  evaluate: (expression: string) => Promise<string>;
  press: (key: "Escape" | "Tab") => Promise<void>;
  /**
   * What the browser itself wrote down as an error, in its console or as a script's; null where its driver
   * does not tell. What a page can see of it is recorded by the page in every engine.
   */
  faults: () => readonly string[] | null;
  close: () => Promise<void>;
};

/** Runs a function in the page, with arguments and a result that fit into JSON. */
export async function ask<A extends unknown[], T>(
  tab: Tab,
  action: (...words: A) => T | Promise<T>,
  ...words: A
): Promise<T> {
  const call = `(${action})(${words.map((word) => JSON.stringify(word)).join(", ")})`;
  // As a text, and spread over a promise of the engine's own making: pages may have bent everything else.
  return JSON.parse(await tab.evaluate(`(async () => JSON.stringify({ answer: await ${call} }))()`)).answer;
}
