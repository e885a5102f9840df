const started = Symbol.for("visit-panel.started");

/**
 * Whether nothing of this name has been started on this page before. The record sits on the window under
 * a symbol, so that a second copy of the loader finds it and the page's own names stay as they were.
 */
export function isFirstOnPage(name: string, page: object = window): boolean {
  let names = Reflect.get(page, started) as Set<string> | undefined;
  if (!names) {
    names = new Set();
    // Without a prototype: a page may have given every object a `get`, which defineProperty would refuse.
    Object.defineProperty(page, started, Object.assign(Object.create(null), { value: names }));
  }
  return !names.has(name) && !!names.add(name);
}
