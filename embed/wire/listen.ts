/** The browser's events of windows, documents and signals. */
type Events = WindowEventMap & DocumentEventMap & AbortSignalEventMap;
type Heard<Type extends keyof Events> = (event: Events[Type]) => unknown;
type Target<Type extends keyof Events> = {
  addEventListener(type: Type, heard: Heard<Type>, options?: AddEventListenerOptions): void;
  removeEventListener(type: Type, heard: Heard<Type>, options?: AddEventListenerOptions): void;
};

/**
 * Listens until `until` is aborted. The browser's own way to say so, `signal`, does not hold on pages with zone.js before
 * 0.14.3, which keeps one listener of the browser's for all that are alike: it ends with the signal of the first of them,
 * and with none of the others.
 */
export function listen<Type extends keyof Events>(
  target: NoInfer<Target<Type>>,
  type: Type,
  until: AbortSignal,
  heard: Heard<Type>,
  options?: AddEventListenerOptions,
): void {
  // Other scripts of pages wrap what is added, and find it no more when it is to be removed.
  const hear: Heard<Type> = (event) => until.aborted || heard(event);
  target.addEventListener(type, hear, options);
  until.addEventListener("abort", () => target.removeEventListener(type, hear, options));
}
