/**
 * Keeps Tab inside an open dialog: past its last stop comes the first. Left to itself the focus goes on to
 * the browser's own bars, from where headless Firefox never finds back.
 */
export function wrapTab(dialog: HTMLDialogElement, event: KeyboardEvent): void {
  if (event.key !== "Tab") return;
  const stops = Array.from(dialog.querySelectorAll<HTMLElement>("a,button,summary"));
  const from = stops.at(event.shiftKey ? 0 : -1);
  if (!from || (dialog.getRootNode() as ShadowRoot).activeElement !== from) return;
  event.preventDefault();
  stops.at(event.shiftKey ? -1 : 0)?.focus();
}
