type Heard = (event: Event) => void;
type Kept = { heard: Heard[]; own: Heard; options: AddEventListenerOptions };

/**
 * For tests: a target as zone.js before 0.14.3 makes it. It keeps one listener of the browser's own for all of a type and a
 * phase, with the options of the first, and knows nothing of its signal.
 */
export class ZoneTarget {
  readonly #inside = new EventTarget();
  readonly #kept = new Map<string, Kept>();

  addEventListener = (type: string, heard: Heard, options: AddEventListenerOptions = {}): void => {
    const kept = this.#kept.get(`${type} ${options.capture}`);
    if (kept) {
      kept.heard.push(heard);
      return;
    }
    const all = [heard];
    const own = (event: Event) => {
      for (const each of [...all]) each(event);
    };
    this.#kept.set(`${type} ${options.capture}`, { heard: all, own, options });
    this.#inside.addEventListener(type, own, options);
  };

  removeEventListener = (type: string, heard: Heard, options: AddEventListenerOptions = {}): void => {
    const key = `${type} ${options.capture}`;
    const kept = this.#kept.get(key);
    if (!kept?.heard.includes(heard)) return;
    kept.heard.splice(kept.heard.indexOf(heard), 1);
    if (kept.heard.length > 0) return;
    this.#kept.delete(key);
    this.#inside.removeEventListener(type, kept.own, kept.options);
  };

  dispatchEvent = (event: Event): boolean => this.#inside.dispatchEvent(event);
}
