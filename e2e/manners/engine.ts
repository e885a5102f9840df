/** The engines of real browsers. Chromium is always there; the others where they are installed. */
export type EngineName = "chromium" | "firefox" | "webkit";

/**
 * Who sits in front of the browser. The cautious visitor prefers dark colours and no motion, and, where the engine has
 * the switch, objects to being sold or shared (GPC).
 */
export type Visitor = "ordinary" | "cautious";

/** One started browser. */
export type Engine = {
  open: () => Promise<Tab>;
  close: () => Promise<void>;
};

/** One page of a browser, with the few actions that all engines have in common. */
export type Tab = {
  /** Resolves when the page has loaded. */
  goto: (url: string) => Promise<void>;
  /** Runs an expression in the page's own world; resolves to what its promise does, a text. */
  evaluate: (expression: string) => Promise<string>;
  press: (key: "Escape" | "Tab") => Promise<void>;
  /**
   * The errors that the browser itself reports, of its console and of scripts; null where its driver does not tell
   * them. Errors that a page can see are recorded by the page in every engine.
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
  // The call goes as a text and in an async function, since a page may have patched Promise and everything else.
  return JSON.parse(await tab.evaluate(`(async () => JSON.stringify({ answer: await ${call} }))()`)).answer;
}
