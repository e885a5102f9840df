/** What keeps an overlay that has been triggered from opening, as far as the page shows it: the first that is found. */
export function obstacle(): string {
  // Within `:is` a browser that does not know `:modal` passes over it, and throws nothing.
  const modal = [{ shadowRoot: document }, ...document.body.children]
    .flatMap(({ shadowRoot: root }) => [...(root?.querySelectorAll(":is(:modal,[aria-modal=true])") ?? [])])
    .find(isInView);
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  // Where one types; a frame may hold such a place.
  const found = modal ?? (at?.matches("iframe,select,[role=textbox],:read-write") && at);
  if (!found) return "its reader is busy";
  return `${found.localName}${found.id && `#${found.id}`} is ${modal ? "modal" : "focused"}`;
}

/** Whether an element is drawn, with a size of its own, within the window. */
function isInView(element: Element): boolean {
  const { top, bottom, left, right } = element.getBoundingClientRect();
  const isWithin =
    bottom > Math.max(top, 0) && right > Math.max(left, 0) && top < innerHeight && left < innerWidth;
  return isWithin && element.checkVisibility?.({ visibilityProperty: true }) !== false;
}
