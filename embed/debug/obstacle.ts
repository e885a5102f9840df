/** What keeps an overlay that has been triggered from opening, as far as the page shows it: the first that is found. */
export function obstacle(): string {
  // Within `:is` a browser that does not know `:modal` passes over it, and throws nothing.
  const modal = [{ shadowRoot: document }, ...document.body.children]
    .flatMap(({ shadowRoot: root }) => [...(root?.querySelectorAll(":is(:modal,[aria-modal=true])") ?? [])])
    .find((element) => element.matches(":is(:modal)") || isInView(element));
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  // Where one types; a frame may hold such a place.
  const found = modal ?? (at?.matches("iframe,select,[role=textbox],:read-write") && at);
  if (!found) return "its reader is busy";
  return `${found.localName}${found.id && `#${found.id}`} is ${modal ? "modal" : "focused"}`;
}

/** As in `overlay/clear-view.ts`: whether an element is drawn within the window, or what stands in it and is not cut off. */
function isInView(element: Element, cut: Element | null = null): boolean {
  if (element.checkVisibility?.({ visibilityProperty: true, opacityProperty: true }) === false) return false;
  const { overflow, position } = getComputedStyle(element);
  const { offsetParent = element } = element as HTMLElement;
  const within = /absolute|fixed/.test(position) && !cut?.contains(offsetParent) ? null : cut;
  const { top, bottom, left, right, width, height } = element.getBoundingClientRect();
  if (!width || !height || within) {
    const next = within ?? (overflow === "visible" ? null : element);
    return [...element.children].some((child) => isInView(child, next));
  }
  return bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
}
