/**
 * Leads whoever has pressed a button to what has come of it. Somebody who types on meanwhile keeps the focus, and is only shown it.
 */
export function leadTo(element: HTMLElement | null): void {
  const isTyping = document.activeElement?.matches("input, textarea, select");
  if (isTyping) element?.scrollIntoView({ block: "nearest" });
  else element?.focus();
}
